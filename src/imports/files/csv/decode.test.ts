import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeChunks, findEncoding } from './decode.ts';

async function decode(bytes: Buffer, encoding: string, size: number): Promise<string> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  let text = '';
  for await (const each of decodeChunks(chunks(), encoding)) text += each;
  return text;
}

test('text is decoded in whatever chunks it arrives, without its byte order mark', async () => {
  const text = 'Ārani, 🏡\r\n';
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const [bytes, encoding] of [
    [Buffer.from(text), 'utf-8'],
    [Buffer.from(`\uFEFF${text}`), 'utf-8'],
    [little, 'utf-16le'],
    [Buffer.from(little).swap16(), 'utf-16be'],
  ] as const)
    for (const size of [1, 3, 100]) {
      assert.equal(await decode(bytes, findEncoding(bytes, null), size), text);
      assert.equal(findEncoding(bytes, null), encoding);
    }
  assert.equal(await decode(Buffer.from('Zo\xeb \x80', 'latin1'), 'windows-1252', 2), 'Zoë €');
});

test('a byte order mark beats the encoding that the user names', () => {
  assert.equal(findEncoding(Buffer.from('\uFEFFa'), 'windows-1252'), 'utf-8');
  assert.equal(findEncoding(Buffer.from('a'), 'windows-1252'), 'windows-1252');
});
