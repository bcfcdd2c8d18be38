import { at, ruleCases } from './rule-cases.ts'

ruleCases('destructive-migration', {
  planted: [
    at('migrations/2.sql', 'DROP TABLE payments;'),
    at('migrations/2.sql', 'alter table payments\n  drop column refunded_minor;'),
    at('migrations/2.sql', 'DELETE FROM payments;'),
    at('migrations/2.sql', "UPDATE payments SET status = 'lost';"),
    at('migrations/2.sql', 'TRUNCATE payments;'),
  ],
  quiet: [
    at('migrations/2.sql', 'CREATE TABLE refunds (id TEXT);'),
    at('migrations/2.sql', 'ALTER TABLE payments ADD COLUMN note TEXT;'),
    at('migrations/2.sql', "DELETE FROM payments WHERE status = 'test';"),
    at('migrations/2.sql', "UPDATE payments\nSET status = 'lost'\nWHERE status = 'gone';"),
    at('migrations/2.sql', '-- DROP TABLE payments;'),
    at('migrations/2.down.sql', 'DROP TABLE refunds;'),
    `const sql = 'DROP TABLE payments'`,
  ],
})
