import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs Dredd in a checkout, if it is not there. The published package has Dredd inside.
 *
 * `npm ci` leaves out its 184 packages, because only runs of the suite need them.
 *
 * @throws Error if npm fails, whose output is shown
 */
export async function installDredd(): Promise<void> {
  const isCheckout = import.meta.filename.endsWith('.ts');
  if (!isCheckout || existsSync(join(import.meta.dirname, 'node_modules/dredd'))) return;
  const cli = join(import.meta.dirname, '../../tools/install/cli.ts');
  const child = spawn(process.execPath, [cli, 'contract-tests/dredd'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('Dredd could not be installed. Run: npm ci --prefix contract-tests/dredd');
}
