/** Formats JSON over several lines, with its numbers as sent. @returns undefined for other texts */
export function formatJson(text: string): string | undefined {
  try {
    const value = JSON.parse(text, (_key, member, { source = '' }) =>
      typeof member === 'number' ? JSON.rawJSON(source) : member,
    );
    return JSON.stringify(value, undefined, 2);
  } catch {
    return undefined;
  }
}
