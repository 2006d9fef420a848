import { installFolder } from '../../tools/install/install-folder.ts';

/** Installs Dredd for the tests of a checkout, unless it is installed already. */
export function setup(): void {
  installFolder('contract-tests/dredd');
}
