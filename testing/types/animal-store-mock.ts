import {
  type AnimalInput,
  type Animals,
  type ContractViolation,
  type Control,
  DataFileError,
  type Delay,
  type Fault,
  type FaultMatch,
  type FaultOptions,
  type FaultResponse,
  type Faults,
  type Int64,
  type JournalAnswer,
  type JournalEntry,
  type LimitPolicy,
  type ListOrder,
  type LogFormat,
  type Mock,
  type MockOptions,
  type MockSession,
  type OperationName,
  type Pet,
  type PetStatus,
  type Profile,
  type ProfileSummary,
  type RequestFilter,
  type SettingChanges,
  type Settings,
  startMock,
  UsageError,
  type ViolationFilter,
} from 'animal-store-mock';

const log: LogFormat = 'silent';
const profile: Profile = 'edge-cases';
const order: ListOrder = 'random';
const limitPolicy: LimitPolicy = 'clamp';
const options: MockOptions = {
  port: 0,
  log,
  profile,
  order,
  limitPolicy,
  now: new Date(),
  latency: '50-200',
};
const mock: Mock = await startMock(options);
const [url, checkedUrl]: [string, string | undefined] = [mock.url, mock.checkedUrl];
const control: Control = mock;

const id: Int64 = 2n ** 60n;
const status: PetStatus = 'sold';
const input: AnimalInput = { id, name: 'Rex', categoryId: 1, status };
const animals: Animals = control.animals;
const pets: Pet[] = [animals.add(input), animals.get(1), animals.set(1n, input), ...animals.replace([input])];
const exact: bigint | undefined = pets[0]?.id;

const operation: OperationName = 'listPets';
const delay: Delay = '50-200';
const match: FaultMatch = { operation, petId: 1n, query: { status }, headers: { 'X-Role': 'admin' } };
const response: FaultResponse = { status: 503, headers: { 'Retry-After': 30 }, body: { id: 2n ** 60n } };
const faults: Faults = control.faults;
const faultOptions: FaultOptions = { match, delay, skip: 1, times: 1, response };
const fault: Fault = faults.add(faultOptions);
faults.add({ operation, drop: true });

const filter: RequestFilter = { operation, status: 200, since: new Date() };
const entry: JournalEntry = await mock.waitForRequest({ ...filter, timeout: 100 });
const answer: JournalAnswer | undefined = entry.answer;
const sent: string | undefined = entry.headers['content-type'] ?? entry.body ?? answer?.body;
const changes: SettingChanges = { now: '2030-12-05', apiKeys: ['next-key'] };
const settings: Settings = mock.configure(changes);
const violationFilter: ViolationFilter = { severity: 'error', since: 7 };
const violations: ContractViolation[] = mock.violations(violationFilter);
const session: MockSession = mock.session('w1');
session.animals.replace([input]);
const sessions: string[] = mock.sessions();
const profiles: ProfileSummary[] = mock.profiles();
await session.fill(profiles[0]?.name ?? 'default');
mock.clearRequests({ until: entry.id });
mock.removeSnapshot('one');
const errors: Error[] = [new UsageError('wrong'), new DataFileError('wrong')];

// What a user may get wrong.
// @ts-expect-error a port is a number
startMock({ port: '0' });
// @ts-expect-error no such option
startMock({ prot: 0 });
// @ts-expect-error no such operation
mock.faults.add({ operation: 'deletePet', status: 500 });
// @ts-expect-error no such status
mock.animals.add({ name: 'Rex', categoryId: 1, status: 'lost' });
// @ts-expect-error a name is missing
mock.animals.add({ categoryId: 1 });
// @ts-expect-error an id is a bigint
mock.animals.all().map(({ id }): number => id);
// @ts-expect-error what came is not to be changed
entry.body = '';

export { checkedUrl, errors, exact, fault, sent, sessions, settings, url, violations };
