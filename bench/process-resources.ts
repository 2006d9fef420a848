import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What a process holds of the system. */
export interface ProcessResources {
  readonly sockets: number;
  /** Resident memory, in MiB. */
  readonly memory: number;
}

/** Reads what a process holds; undefined on a system without /proc. */
export function readResources(pid: number): ProcessResources | undefined {
  try {
    const folder = `/proc/${pid}/fd`;
    const sockets = readdirSync(folder).filter((name) => isSocket(`${folder}/${name}`)).length;
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return { sockets, memory: Math.round(Number(kilobytes) / 1024) };
  } catch {
    return undefined;
  }
}

/** A descriptor may be closed while the folder is read. */
function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith('socket:');
  } catch {
    return false;
  }
}
