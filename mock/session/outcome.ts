import type { Reply } from '../../common/http/reply.ts';

interface Changed {
  /** Id of the fault that replaces or breaks the response. */
  readonly fault?: number;
}

/**
 * What the client receives, by `wire`. `whole`: the reply. `half`: the reply, whose body lacks its second half, and then the
 * connection breaks. `reset`: nothing, because the connection is reset. `failure` is the code for the journal and the log of what a
 * fault did.
 */
export type Outcome =
  | (Changed & { readonly wire: 'whole'; readonly reply: Reply; readonly failure?: string })
  | (Changed & { readonly wire: 'half'; readonly reply: Reply; readonly failure: string })
  | (Changed & { readonly wire: 'reset'; readonly failure: string });
