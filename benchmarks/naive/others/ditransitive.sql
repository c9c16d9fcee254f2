SELECT DISTINCT v.sid
FROM words v
JOIN words i ON i.sid = v.sid AND i.head = v.id
JOIN words o ON o.sid = v.sid AND o.head = v.id
WHERE v.upos = 'VERB'
  AND (i.deprel = 'iobj' OR i.deprel LIKE 'iobj:%')
  AND (o.deprel = 'obj' OR o.deprel LIKE 'obj:%')
  AND v.id < i.id AND i.id < o.id
ORDER BY v.sid
