#!/usr/bin/env node
import { runCommand } from '../common/run-command.js';

const resolve = (file) => new URL(file, import.meta.url);
await runCommand('animal-store-mock', resolve('cli.ts'), resolve('../dist/mock/cli.js'));
