import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileError } from './file-error.ts';
import { detectFormat, type Format } from './format.ts';

const format = (text: string, name: string | null = null, asked: Format | null = null): Format =>
  detectFormat(text, name, asked);

test('the format is the one that the user names, else by the extension, else by the first character', () => {
  for (const [text, name, asked, expected] of [
    ['email', null, null, 'csv'],
    [' \n{"email":"a"}', null, null, 'ndjson'],
    ['{"email":"a"}', 'leads.txt', null, 'ndjson'],
    ['email', 'leads.TSV', null, 'tsv'],
    ['email', 'a.b/leads.CSV', null, 'csv'],
    ['{x},email', 'leads.csv', null, 'csv'],
    ['[x],email', 'leads.csv', null, 'csv'],
    ['email', 'leads.jsonl', null, 'ndjson'],
    ['email', 'leads.ndjson', 'tsv', 'tsv'],
    ['{"email":"a"}', 'leads.json', 'ndjson', 'ndjson'],
    ['email', 'leads', null, 'csv'],
    ['email', 'folder.tsv/leads', null, 'csv'],
  ] as const)
    assert.equal(format(text, name, asked), expected, `${name} ${text}`);
});

test('a web page, XML and a vCard are refused with advice, whatever their name', () => {
  for (const [text, message] of [
    ['<!DOCTYPE html>\n<html>', /^the file is HTML or XML.*save it as CSV UTF-8/],
    ['\r\n<table border=1><tr><td>Email', /^the file is HTML or XML/],
    ['<?xml version="1.0"?>', /^the file is HTML or XML/],
    ['BEGIN:VCARD\nVERSION:3.0', /^the file is a vCard; export the contacts as CSV$/],
  ] as const)
    assert.throws(() => format(text, 'leads.csv'), { message }, text);
  assert.equal(format('<tag>,email', 'leads.csv'), 'csv');
});

test('a JSON array and a file with the extension json are refused with advice', () => {
  const refused = { message: 'a JSON array is not read; give one object a line (NDJSON)' };
  for (const [text, name, asked] of [
    ['[{}]', null, null],
    ['\n [', 'leads.txt', null],
    ['[', 'leads.ndjson', null],
    ['[', null, 'ndjson'],
    ['{}', 'leads.json', null],
  ] as const) {
    assert.throws(() => format(text, name, asked), FileError);
    assert.throws(() => format(text, name, asked), refused);
  }
});
