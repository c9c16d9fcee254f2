SELECT DISTINCT v.sid
FROM words v
WHERE (lower(v.form) IN ($passive_verbs) OR lower(v.lemma) IN ($passive_verbs))
  AND (
    v.feats LIKE '%Voice=Pass%'
    OR EXISTS (SELECT 1 FROM words c WHERE c.sid = v.sid AND c.head = v.id AND c.deprel = 'cop'))
ORDER BY v.sid
