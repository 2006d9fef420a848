/** What an operation answers: the HTTP status, headers beside the usual ones, and the body as JSON text. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
