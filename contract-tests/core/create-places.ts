/** A number of places, of which each is taken by one at a time. */
export interface Places {
  /** Does something once there is a place for it, in the order in which it was asked. */
  take<T>(run: () => Promise<T>): Promise<T>;
  /** Whether more than one is taken. */
  isShared(): boolean;
  /** Leaves half of the places, and at least one. */
  halve(): void;
  /** Leaves one place. */
  leaveOne(): void;
}

/** Creates so many places. */
export function createPlaces(count: number): Places {
  const waiting: (() => void)[] = [];
  let [most, taken] = [count, 0];
  const next = () => {
    if (taken >= most) return;
    const begin = waiting.shift();
    if (begin === undefined) return;
    taken += 1;
    begin();
  };
  return {
    take: async (run) => {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      next();
      await turn;
      try {
        return await run();
      } finally {
        taken -= 1;
        next();
      }
    },
    isShared: () => taken > 1,
    halve: () => {
      most = Math.max(1, Math.floor(most / 2));
    },
    leaveOne: () => {
      most = 1;
    },
  };
}
