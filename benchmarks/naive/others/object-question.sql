SELECT DISTINCT v.sid
FROM words v
JOIN words w ON w.sid = v.sid AND w.head = v.id
JOIN words a ON a.sid = v.sid AND a.head = v.id
JOIN words s ON s.sid = v.sid AND s.head = v.id
WHERE v.upos = 'VERB'
  AND (w.deprel = 'obj' OR w.deprel LIKE 'obj:%') AND w.xpos IN ('WP', 'WDT')
  AND (a.deprel = 'aux' OR a.deprel LIKE 'aux:%')
  AND (s.deprel = 'nsubj' OR s.deprel LIKE 'nsubj:%')
  AND w.id < a.id AND a.id < s.id
ORDER BY v.sid
