SELECT DISTINCT b.sid
FROM words t
JOIN words b ON b.sid = t.sid AND b.id = t.head
JOIN words n ON n.sid = b.sid AND n.head = b.id
JOIN words q ON q.sid = n.sid AND q.head = n.id
WHERE t.lemma = 'there' AND t.deprel = 'expl'
  AND b.lemma = 'be'
  AND (n.deprel = 'nsubj' OR n.deprel LIKE 'nsubj:%')
  AND q.lemma IN ('a', 'an', 'no', 'some', 'few', 'many', 'all', 'most', 'every', 'each')
ORDER BY b.sid
