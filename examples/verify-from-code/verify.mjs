// node verify.mjs
import { CouldNotTell, UsageError, verifyDeployment } from 'animal-store-contract-tests';
import { startServer } from './server.mjs';

const server = await startServer();
try {
  const options = { baseUrl: server.url, apiKey: 'test-key', allowWrites: true };
  const { conclusion, outcomes } = await verifyDeployment(options);
  for (const { clause, verdict, expected, actual } of outcomes) {
    if (verdict === 'failed') console.log(`${clause.sentence} Expected ${expected}, got ${actual}.`);
  }
  console.log(`${outcomes.length} clauses: the service ${conclusion}`);
  process.exitCode = conclusion === 'conforms' ? 0 : 1;
} catch (error) {
  if (!(error instanceof CouldNotTell || error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
} finally {
  await server.close();
}
