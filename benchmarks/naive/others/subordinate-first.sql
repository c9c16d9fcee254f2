SELECT DISTINCT v.sid
FROM words v
JOIN words c ON c.sid = v.sid AND c.head = v.id
JOIN words m ON m.sid = c.sid AND m.head = c.id
JOIN words s ON s.sid = v.sid AND s.head = v.id
WHERE (c.deprel = 'advcl' OR c.deprel LIKE 'advcl:%')
  AND (m.deprel = 'mark' OR m.deprel LIKE 'mark:%')
  AND lower(m.form) IN ('if', 'when', 'because', 'although', 'though', 'while', 'since', 'after', 'before', 'as')
  AND (s.deprel = 'nsubj' OR s.deprel LIKE 'nsubj:%')
  AND m.id < c.id AND c.id < s.id
ORDER BY v.sid
