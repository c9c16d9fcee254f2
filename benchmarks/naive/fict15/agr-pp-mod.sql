SELECT DISTINCT v.sid
FROM words v
JOIN words s ON s.sid = v.sid AND s.head = v.id
JOIN words m ON m.sid = s.sid AND m.head = s.id
WHERE (s.deprel = 'nsubj' OR s.deprel LIKE 'nsubj:%')
  AND m.deprel = 'nmod'
  AND s.id < m.id AND m.id < v.id
ORDER BY v.sid
