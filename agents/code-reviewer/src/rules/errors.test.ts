import { at, onLine, ruleCases } from './rule-cases.ts'

ruleCases('swallowed-error', {
  planted: [
    'try { work() } catch (error) {}',
    'try { work() } catch {}',
    onLine(3, 'try {\n  work()\n} catch (error) {\n\n}'),
    'work().catch(() => {})',
    'await work().catch((error) => undefined)',
    'work().catch(async function (error) { })',
    'work().catch(_ => null)',
  ],
  quiet: [
    'try { work() } catch (error) { log.error(error) }',
    'try { work() } catch { return undefined }',
    'try { work() } catch { /* it is gone already, which is fine */ }',
    'try {\n  work()\n} catch {\n  // it is gone already\n}',
    'work().catch(() => {\n  // nobody waits for it\n})',
    'work().catch((error) => log.error(error))',
    'work().catch(() => ({}))',
    '// try { work() } catch {}',
    `const text = 'catch {}'`,
    at('test/a.test.ts', 'await stop().catch(() => {})'),
  ],
})
