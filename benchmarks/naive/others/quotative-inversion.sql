SELECT DISTINCT v.sid
FROM words v
JOIN words s ON s.sid = v.sid AND s.head = v.id
WHERE v.lemma IN ('say', 'ask', 'reply', 'answer', 'shout', 'whisper', 'cry', 'add', 'explain', 'think')
  AND (s.deprel = 'nsubj' OR s.deprel LIKE 'nsubj:%')
  AND v.id < s.id
  AND NOT EXISTS (
    SELECT 1 FROM words a
    WHERE a.sid = v.sid AND a.head = v.id AND (a.deprel = 'aux' OR a.deprel LIKE 'aux:%'))
  AND NOT EXISTS (
    SELECT 1 FROM words o
    WHERE o.sid = v.sid AND o.head = v.id AND s.id < o.id
      AND (o.deprel IN ('ccomp', 'obj') OR o.deprel LIKE 'ccomp:%' OR o.deprel LIKE 'obj:%'))
ORDER BY v.sid
