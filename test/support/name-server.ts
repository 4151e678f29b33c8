import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { getServers, setServers } from 'node:dns';
import ipaddr from 'ipaddr.js';

const TYPES = { ipv4: 1, ipv6: 28 };
const CLASS_INTERNET = 1;
const NAME_POINTER = 0xc00c;

export interface NameServer {
  /** The next answers for a name: one list of addresses for each time that it is looked up; the last one stays. */
  names: Record<string, string[][]>;
  /** How often a name was looked up. */
  countLookUps: (name: string) => number;
}

/** Starts a DNS server that answers this process until the test ends. */
export async function startNameServer(t: { after: (clean: () => unknown) => void }) {
  const names: NameServer['names'] = {};
  const asked: string[] = [];
  const socket = createSocket('udp4', (query, client) => {
    const { name, type, end } = readQuestion(query);
    // Each look-up asks for both types.
    asked.push(`${name} ${type}`);
    const answers = names[name] ?? [];
    const count = asked.filter((question) => question === `${name} ${type}`).length;
    const addresses = (answers[count - 1] ?? answers.at(-1) ?? [])
      .map((text) => ipaddr.parse(text))
      .filter((address) => TYPES[address.kind()] === type);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8580, 2);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    const records = addresses.map((address) => toRecord(type, address.toByteArray()));
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...records]),
      client.port,
      client.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const former = getServers();
  setServers([`127.0.0.1:${socket.address().port}`]);
  t.after(() => {
    setServers(former);
    socket.close();
  });
  const countLookUps = (name: string) =>
    asked.filter((question) => question === `${name} ${TYPES.ipv4}`).length;
  return { names, countLookUps };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function toRecord(type: number, address: number[]): Buffer {
  const record = Buffer.alloc(12);
  record.writeUInt16BE(NAME_POINTER, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(CLASS_INTERNET, 4);
  record.writeUInt16BE(address.length, 10);
  return Buffer.concat([record, Buffer.from(address)]);
}
