WITH npi AS (
  SELECT n.sid, n.id
  FROM words n
  WHERE lower(n.form) IN ($npi_1)
  UNION
  SELECT n.sid, n.id
  FROM words n
  JOIN words n2 ON n2.sid = n.sid AND n2.id = n.id + 1
  WHERE lower(n.form) IN ($first_2)
    AND lower(n.form) || ' ' || lower(n2.form) IN ($npi_2)
  UNION
  SELECT n.sid, n.id
  FROM words n
  JOIN words n2 ON n2.sid = n.sid AND n2.id = n.id + 1
  JOIN words n3 ON n3.sid = n.sid AND n3.id = n.id + 2
  WHERE lower(n.form) IN ($first_3)
    AND lower(n.form) || ' ' || lower(n2.form) || ' ' || lower(n3.form) IN ($npi_3)
  UNION
  SELECT n.sid, n.id
  FROM words n
  JOIN words n2 ON n2.sid = n.sid AND n2.id = n.id + 1
  JOIN words n3 ON n3.sid = n.sid AND n3.id = n.id + 2
  JOIN words n4 ON n4.sid = n.sid AND n4.id = n.id + 3
  WHERE lower(n.form) IN ($first_4)
    AND lower(n.form) || ' ' || lower(n2.form) || ' ' || lower(n3.form) || ' ' || lower(n4.form) IN ($npi_4)
)
SELECT DISTINCT w.sid
FROM words w
JOIN npi ON npi.sid = w.sid
WHERE lower(w.form) = 'only' AND w.id < npi.id
ORDER BY w.sid
