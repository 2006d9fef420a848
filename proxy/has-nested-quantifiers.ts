/** Piece of a pattern: what opens or closes a group, `|`, a quantifier, or what matches one character or a position. */
const PIECE =
  /\((?:\?(?:<?[=!]|:|<\w+>))?|[)|]|[*+?]\??|\{[\d,]+\}\??|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<\w+>|c[a-zA-Z]|.)|\[(?:\\.|[^\]\\])*\]|./gsu;

const LOOKAROUND = /^\(\?<?[=!]/;

const QUANTIFIER = /^(?:[*+?]|\{(?<least>\d+)(?<comma>,?)(?<most>\d*)\})/;

/** Position or earlier text, which separates nothing. */
const NO_CHARACTER = /^(?:[$^]|\\(?:[bB\d]|k<.*))$/;

/** Consecutive pieces of a pattern. */
interface Sequence {
  /** All pieces for one character. */
  readonly pieces: readonly string[];
  /** Those that each match of the sequence has. */
  readonly constant: readonly string[];
  /** Those that matches may have more or fewer times. */
  readonly varying: readonly string[];
  /** Whether a text may be several of them in more than one way. */
  readonly isAmbiguous: boolean;
  /** Whether an ambiguous part of it is repeated. */
  readonly isNested: boolean;
}

const empty: Sequence = { pieces: [], constant: [], varying: [], isAmbiguous: false, isNested: false };

/**
 * Returns whether a pattern repeats what is itself repeated, as `^(a+)+$` does. JavaScript tries each way to divide a text into such
 * repetitions, so that 40 characters may take hours. `^a+(-a+)*$` divides each text in one way only, because of its hyphen.
 */
export function hasNestedQuantifiers(pattern: string): boolean {
  return readGroup(pattern.match(PIECE) ?? []).isNested;
}

/** Reads up to the end of a group. @param pieces lose what was read. */
function readGroup(pieces: string[]): Sequence {
  const alternatives: Sequence[][] = [[]];
  for (let piece = pieces.shift(); piece !== undefined && piece !== ')'; piece = pieces.shift()) {
    const sequence = alternatives.at(-1) ?? [];
    if (piece === '|') alternatives.push([]);
    else if (piece.startsWith('(')) {
      const group = readGroup(pieces);
      sequence.push(LOOKAROUND.test(piece) ? { ...empty, isNested: group.isNested } : group);
    } else if (QUANTIFIER.test(piece)) sequence.push(quantify(sequence.pop() ?? empty, piece));
    else sequence.push(NO_CHARACTER.test(piece) ? empty : { ...empty, pieces: [piece], constant: [piece] });
  }
  const [first = empty, ...others] = alternatives.map(join);
  return others.length === 0 ? first : choose([first, ...others]);
}

function choose(alternatives: readonly Sequence[]): Sequence {
  const isVarying = alternatives.some(({ varying }) => varying.length > 0);
  const pieces = alternatives.flatMap((one) => one.pieces);
  return {
    pieces,
    constant: [],
    varying: isVarying ? pieces : [],
    isAmbiguous: alternatives.some(({ isAmbiguous }) => isAmbiguous),
    isNested: alternatives.some(({ isNested }) => isNested),
  };
}

function join(parts: readonly Sequence[]): Sequence {
  const constant = parts.flatMap((part) => part.constant);
  const varying = parts.flatMap((part) => part.varying);
  const isSeparator = (piece: string) => varying.every((other) => !matchSameCharacter(piece, other));
  return {
    pieces: parts.flatMap(({ pieces }) => pieces),
    constant,
    varying,
    isAmbiguous: varying.length > 0 && !constant.some(isSeparator),
    isNested: parts.some(({ isNested }) => isNested),
  };
}

function quantify(sequence: Sequence, quantifier: string): Sequence {
  const { pieces, isAmbiguous } = sequence;
  const { least, comma, most } = QUANTIFIER.exec(quantifier)?.groups ?? {};
  const isOptional = quantifier.startsWith('?');
  const isOnce = isOptional || most === '1' || (least === '1' && comma === '');
  const isNested = sequence.isNested || (isAmbiguous && !isOnce);
  // {3} and {3,3} always match the same number of times.
  if (least !== undefined && (comma === '' || least === most)) return { ...sequence, isNested };
  return { pieces, constant: [], varying: pieces, isAmbiguous: true, isNested };
}

let everyCharacter: string | undefined;

/** Returns whether a character matches both of two pieces. */
function matchSameCharacter(one: string, other: string): boolean {
  everyCharacter ??= Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('\n');
  return new RegExp(`(?=${one})${other}`, 'u').test(everyCharacter);
}
