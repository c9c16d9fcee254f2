SELECT DISTINCT n.sid
FROM words n
JOIN words m ON m.sid = n.sid AND m.head = n.id
JOIN words l ON l.sid = m.sid AND l.head = m.id
WHERE (m.deprel = 'nmod:poss' OR m.deprel LIKE 'nmod:poss:%')
  AND (l.deprel = 'nmod:poss' OR l.deprel LIKE 'nmod:poss:%')
ORDER BY n.sid
