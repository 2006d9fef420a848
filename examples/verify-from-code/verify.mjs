// node verify.mjs
import { CouldNotTell, UsageError, verifyDeployment } from 'animal-store-contract-tests';
import { startMock } from 'animal-store-mock';

// Start your service here. In this example it is the mock.
const server = await startMock({ port: 0, log: 'silent' });
try {
  const options = { baseUrl: server.url, apiKey: 'test-key', allowWrites: true };
  const { verdict, tested, required, outcomes } = await verifyDeployment(options);
  for (const { clause, verdict, expected, received } of outcomes) {
    if (verdict === 'failed') console.log(`${clause.sentence} Expected ${expected}, received ${received}.`);
  }
  console.log(`The service ${verdict}: ${tested} of ${required} required clauses tested`);
  process.exitCode = verdict === 'conforms' ? 0 : 1;
} catch (error) {
  if (!(error instanceof CouldNotTell || error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
} finally {
  await server.close();
}
