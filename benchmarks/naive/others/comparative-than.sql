WITH RECURSIVE under AS (
  SELECT sid, id AS top, id FROM words WHERE xpos IN ('JJR', 'RBR')
  UNION ALL
  SELECT c.sid, u.top, c.id FROM under u JOIN words c ON c.sid = u.sid AND c.head = u.id
)
SELECT DISTINCT t.sid
FROM under u
JOIN words t ON t.sid = u.sid AND t.id = u.id
WHERE lower(t.form) = 'than' AND u.top < t.id
ORDER BY t.sid
