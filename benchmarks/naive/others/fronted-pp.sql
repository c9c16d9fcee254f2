SELECT DISTINCT v.sid
FROM words v
JOIN words n ON n.sid = v.sid AND n.head = v.id
JOIN words p ON p.sid = n.sid AND p.head = n.id
JOIN words s ON s.sid = v.sid AND s.head = v.id
WHERE v.upos = 'VERB'
  AND (n.deprel = 'obl' OR n.deprel LIKE 'obl:%') AND n.upos IN ('NOUN', 'PROPN')
  AND (p.deprel = 'case' OR p.deprel LIKE 'case:%') AND p.upos = 'ADP'
  AND (s.deprel = 'nsubj' OR s.deprel LIKE 'nsubj:%')
  AND p.id < n.id AND n.id < s.id
  AND NOT EXISTS (
    SELECT 1 FROM words m
    WHERE m.sid = v.sid AND m.head = v.id AND m.id < p.id
      AND (m.deprel = 'mark' OR m.deprel LIKE 'mark:%' OR m.deprel = 'cc' OR m.deprel LIKE 'cc:%'))
ORDER BY v.sid
