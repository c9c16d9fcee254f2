SELECT DISTINCT v.sid
FROM words v
WHERE v.upos = 'VERB' AND (v.deprel = 'root' OR v.deprel LIKE 'root:%') AND v.xpos = 'VB'
  AND NOT EXISTS (
    SELECT 1 FROM words s
    WHERE s.sid = v.sid AND s.head = v.id
      AND (s.deprel IN ('nsubj', 'csubj', 'expl') OR s.deprel LIKE 'nsubj:%' OR s.deprel LIKE 'csubj:%'
           OR s.deprel LIKE 'expl:%'))
  AND NOT EXISTS (
    SELECT 1 FROM words a
    WHERE a.sid = v.sid AND a.head = v.id
      AND (a.deprel IN ('aux', 'mark') OR a.deprel LIKE 'aux:%' OR a.deprel LIKE 'mark:%'))
ORDER BY v.sid
