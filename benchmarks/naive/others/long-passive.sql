SELECT DISTINCT v.sid
FROM words v
JOIN words a ON a.sid = v.sid AND a.head = v.id
JOIN words n ON n.sid = v.sid AND n.head = v.id
JOIN words b ON b.sid = n.sid AND b.head = n.id
WHERE (a.deprel = 'aux:pass' OR a.deprel LIKE 'aux:pass:%')
  AND (n.deprel = 'obl' OR n.deprel LIKE 'obl:%')
  AND (b.deprel = 'case' OR b.deprel LIKE 'case:%') AND lower(b.form) = 'by'
  AND a.id < v.id AND v.id < b.id
ORDER BY v.sid
