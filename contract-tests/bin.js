#!/usr/bin/env node
import { runCommand } from '../common/run-command.js';

const resolve = (file) => new URL(file, import.meta.url);
// On a Node that is too old, nothing can be told of a deployment.
await runCommand('animal-store-verify', resolve('cli.ts'), resolve('../dist/contract-tests/cli.js'), 2);
