/** A value as JSON text, so that every digit of an integer stays. */
export type JsonText = string;

/** What every failure has: the exchange that shows it, as data. */
export interface Shown {
  /** Such as `GET /pets/{petId}`. */
  readonly operation: string;
  /** The status that was received. Undefined without a response. */
  readonly status?: number;
  /** Why there is no response, or why its body is not complete, in words. */
  readonly noResponse?: string;
  /** What the deployment said with a 4xx or 5xx: the message of its Error, the title of its page, or its body. */
  readonly said?: string;
  /** True if the body is an HTML page. */
  readonly isPage?: true;
}

/** Every kind of failure, with what was expected and what was received. */
export type Fault =
  | StatusFault
  | ServerFault
  | BodyFault
  | ErrorStatusFault
  | HeaderFault
  | ByteOrderMarkFault
  | MemberFault
  | HiddenMemberFault
  | FilterFault
  | CountFault
  | MissingFault
  | TwoListsFault
  | IdFault
  | DuplicateFault
  | MixedUpFault
  | AddedFault;

export type FaultKind = Fault['kind'];

/** A fault, and the exchange that shows it. */
export type Failure = Fault & Shown;

export type FailureOf<Kind extends FaultKind> = Extract<Failure, { readonly kind: Kind }>;

/** What a response should have been, where it is more than one status. */
export const kindsOfResponses = ['4xx', '4xx or list', 'no animal', '201 or 411', '201 or 4xx'] as const;

/** What a response should have been: with a status, or of a kind. */
export type ExpectedResponse = number | (typeof kindsOfResponses)[number];

/** Another status than the expected one. */
interface StatusFault {
  readonly kind: 'status';
  readonly expected: ExpectedResponse;
  /** What the request was about, if the clause sends several. */
  readonly request?: RequestSubject | undefined;
  /** What a 2xx brought. */
  readonly shape?: Shape;
}

/** What a body is. */
export type Shape =
  | { readonly is: 'empty' }
  /** The beginning of a body that is not JSON. */
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'array'; readonly length: number }
  | { readonly is: 'animal'; readonly id: JsonText }
  /** The names of the first members. */
  | { readonly is: 'object'; readonly members: readonly string[] }
  /** A string, a number, a boolean or null. */
  | { readonly is: 'value'; readonly value: JsonText };

/** Unusual forms of a request, in words to be read after "for". */
export type RequestForm =
  | 'a wrong key with dots'
  | 'a wrong key that looks like a JWT'
  | 'a wrong key that is not ASCII'
  | 'a wrong key of 8,000 letters'
  | 'two tokens in place of a key'
  | 'a scheme without a key'
  | 'an id with a query, without a key'
  | 'an id with percent-encoded digits, without a key'
  | 'a large body without a key'
  | 'an If-None-Match without a key'
  | 'headers of a proxy without a key'
  | 'Accept: text/html, without a key'
  | 'an Origin without a key'
  | 'the key in another header'
  | 'the cookie of an earlier response'
  | 'a byte order mark'
  | 'bytes that are not UTF-8'
  | 'the headers of a browser'
  | 'a request without a User-Agent'
  | 'a request without Accept-Encoding and traceparent'
  | 'the header authorization in lower case'
  | 'the scheme in lower case'
  | 'an unusual body'
  | 'lenient JSON'
  | 'what is unspecified';

/** What a request was about. */
export type RequestSubject =
  | { readonly what: 'form'; readonly form: RequestForm }
  | { readonly what: 'body'; readonly body: string }
  | { readonly what: 'media type'; readonly mediaType: string }
  | { readonly what: 'notation' }
  | { readonly what: 'authorization'; readonly authorization: string }
  | { readonly what: 'query'; readonly query: string }
  | { readonly what: 'petId'; readonly petId: string }
  | { readonly what: 'unknown id' }
  | { readonly what: 'like a listed animal'; readonly id: string }
  | {
      /** Animals that were added at the same time. */
      readonly what: 'at once';
      readonly failed: number;
      readonly of: number;
    }
  | {
      readonly what: 'member';
      readonly member: string;
      readonly value: string;
      /** Other values of the member that were accepted. */
      readonly accepted?: readonly string[];
    }
  | {
      readonly what: 'animal';
      readonly id: string;
      /** How the deployment has shown the animal before. */
      readonly seen: 'added' | 'before the additions' | 'before and after';
    };

/** A 5xx, or no complete response: one failure for each operation, status and cause. */
interface ServerFault {
  readonly kind: 'server fault';
  /** What all these responses say, without what changes such as ids and times. Other words have another cause. */
  readonly words?: string;
  /** How many requests got it, and of how many. */
  readonly count: number;
  readonly requests: number;
  /** What the same requests got at other times. */
  readonly otherwise: readonly string[];
}

/** What a body should be. */
type ExpectedBody = 'Pet' | 'Error' | 'list' | 'list of Pets' | '4xx or list';

/** A body that is not what it should be. */
export interface BodyFault {
  readonly kind: 'body';
  readonly expected: ExpectedBody;
  readonly problem: BodyProblem;
  /** The beginning of the body. */
  readonly body?: string;
  /** Index of the element that is wrong. */
  readonly index?: number;
}

/** What is wrong with a body. */
export type BodyProblem =
  | { readonly is: 'empty' }
  /** With the words of the parser. */
  | { readonly is: 'no JSON'; readonly why?: string }
  | { readonly is: 'incomplete'; readonly why: string }
  | { readonly is: 'another type'; readonly shape: Shape }
  | {
      readonly is: 'invalid';
      /** The schema of openapi.yaml. */
      readonly schema: 'Pet' | 'Error';
      /** The member that is wrong or missing. Undefined for the whole value. */
      readonly member?: string | undefined;
      /** JSON Pointer to the value that breaks the rule. */
      readonly pointer: string;
      /** The rule that the value breaks, such as `must be string`. */
      readonly rule: string;
      readonly value?: JsonText | undefined;
    };

/** An Error whose status is not the HTTP status. */
interface ErrorStatusFault {
  readonly kind: 'error status';
  readonly received: string;
}

/** A header that is missing or has another value. */
interface HeaderFault {
  readonly kind: 'header';
  readonly header: 'Content-Type' | 'WWW-Authenticate';
  /** Undefined if the header is missing. */
  readonly received?: string;
}

/** A byte order mark before the JSON. */
interface ByteOrderMarkFault {
  readonly kind: 'byte order mark';
}

/** What a member is compared with. */
export type ComparedWith =
  /** The record that was sent, or another response about the animal. */
  | 'other record'
  /** The record that was sent or returned, in a list. */
  | 'in the list'
  | 'by its id'
  /** Another response to the same request without the headers of a browser. */
  | 'in a browser'
  | 'of the animal, as before'
  | 'of the animal, as before and after';

/** A member of an animal with another value than in another record of it. */
export interface MemberFault {
  readonly kind: 'member';
  readonly member: string;
  /** Undefined if there was none. */
  readonly expected?: JsonText | undefined;
  /** Undefined if there is none. */
  readonly received?: JsonText | undefined;
  readonly compared: ComparedWith;
  /** Id of the animal, where the comparison names it. */
  readonly id?: JsonText | undefined;
}

/** A member that other responses show and this one does not. */
interface HiddenMemberFault {
  readonly kind: 'hidden member';
  readonly member: string;
  readonly id: JsonText;
}

/** An animal with another value of a member in a list that a parameter of this name filters. */
interface FilterFault {
  readonly kind: 'filter';
  readonly member: string;
  readonly expected: string;
  readonly received: JsonText;
  readonly id: JsonText;
}

/** Another number of animals than a list should have. */
export interface CountFault {
  readonly kind: 'count';
  readonly expected: number;
  /** Whether the number is a maximum, or the number that the same list has with limit=20. */
  readonly compared: 'at most' | 'as with limit=20';
  readonly received: number;
  /** True if the list was too long to be counted to its end. */
  readonly isAtLeast: boolean;
}

/** A list without an animal that it should have. */
export interface MissingFault {
  readonly kind: 'missing';
  readonly lacks: 'any animal' | 'the animal' | 'the animal of before' | 'the matching animal';
  readonly id?: JsonText | undefined;
  /** What the filters of the list ask for. */
  readonly has?: readonly MemberValue[];
  readonly received: 'list without it' | 'empty list';
}

/** A member of an animal, and its value as a query has it. */
interface MemberValue {
  readonly member: string;
  readonly value: string;
}

/** An animal that does not show a member, in the lists by two of its values. */
interface TwoListsFault {
  readonly kind: 'two lists';
  readonly id: JsonText;
  readonly member: string;
  readonly values: readonly string[];
}

/** An id that is not the expected one. */
interface IdFault {
  readonly kind: 'id';
  readonly idProblem:
    | 'not requested'
    | 'of a listed animal'
    | 'of another new animal'
    | 'from the body'
    | 'twice';
  readonly expected?: JsonText;
  readonly received: JsonText;
}

/** An animal that was added once and is there twice. */
interface DuplicateFault {
  readonly kind: 'duplicate';
  readonly ids: readonly JsonText[];
  readonly where: 'list' | 'run';
}

/** The value of an animal that was added at the same time. */
interface MixedUpFault {
  readonly kind: 'mixed up';
  readonly member: string;
  readonly expected: JsonText;
  readonly received: JsonText;
}

/** An animal of a request that was refused. */
interface AddedFault {
  readonly kind: 'added';
  readonly id: JsonText;
  readonly name: JsonText;
}

/** The probable cause of a failure. */
export type Cause =
  | { readonly cause: PlainCause }
  | { readonly cause: 'turned into another type'; readonly type: string }
  | { readonly cause: 'cut'; readonly characters: number }
  /** The animal was found so many ms after it was added. */
  | { readonly cause: 'late'; readonly ms: number }
  /** `age` in seconds, if the list says how old it is. */
  | { readonly cause: 'stale'; readonly age?: number };

/** A cause that needs no more words. */
type PlainCause =
  | 'turned into null'
  | 'rounded to a double'
  | 'cut to 32 bits'
  | 'trimmed'
  | 'case changed'
  | 'read as Latin-1'
  | 'stored as ASCII'
  | 'earlier response repeated'
  | 'cached without the key';
