// Changes of the database that lose data.
import { fileRule, findInAdded } from './rule.ts'

const isMigration = (path: string) => /\.sql$/i.test(path) && !/\b(?:down|rollback|undo)\b/i.test(path)

export const destructiveMigration = fileRule(
  {
    name: 'destructive-migration',
    severity: 'major',
    finds: 'DROP TABLE or COLUMN, TRUNCATE, DELETE or UPDATE without WHERE in SQL files',
  },
  isMigration,
  (file) =>
    findInAdded(
      file,
      'text',
      /^[ \t]*(?:DROP\s+TABLE\b|ALTER\s+TABLE\b[^;]{0,500}?\bDROP\s+COLUMN\b|TRUNCATE\b|DELETE\s+FROM\s+\S+?\s*;|UPDATE\s+\S+\s+SET\b(?![^;]{0,1000}\bWHERE\b))/gim,
      'Data is lost here: keep it, or say in the change how it is restored',
    ),
)
