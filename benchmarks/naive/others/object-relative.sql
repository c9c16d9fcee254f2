SELECT DISTINCT n.sid
FROM words n
JOIN words v ON v.sid = n.sid AND v.head = n.id
JOIN words s ON s.sid = v.sid AND s.head = v.id
WHERE n.upos IN ('NOUN', 'PROPN', 'PRON')
  AND v.upos = 'VERB' AND (v.deprel = 'acl:relcl' OR v.deprel LIKE 'acl:relcl:%')
  AND (s.deprel = 'nsubj' OR s.deprel LIKE 'nsubj:%')
  AND s.id < v.id
  AND lower(s.form) NOT IN ('who', 'which', 'that')
  AND NOT EXISTS (
    SELECT 1 FROM words o
    WHERE o.sid = v.sid AND o.head = v.id AND v.id < o.id
      AND (o.deprel IN ('obj', 'ccomp', 'xcomp', 'obl') OR o.deprel LIKE 'obj:%' OR o.deprel LIKE 'ccomp:%'
           OR o.deprel LIKE 'xcomp:%' OR o.deprel LIKE 'obl:%'))
ORDER BY n.sid
