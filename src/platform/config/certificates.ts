import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from './values.ts';

const CERTIFICATE = /-----BEGIN (TRUSTED )?CERTIFICATE-----[^-]*-----END \1CERTIFICATE-----/g;

/**
 * Reads a file that a setting names. Throws a ConfigError when it cannot be read. The error begins with `requirement`, such as
 * `DATABASE_URL must name in sslkey`.
 */
export function readNamedFile(requirement: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${requirement} a file that can be read; ${file} cannot (${code}).`);
  }
}

/**
 * Reads a file of certificates that a setting names. Throws a ConfigError when it has none: Node.js would accept the file, and
 * later report that the server's certificate is not trusted.
 */
export function readCertificates(requirement: string, file: string): string {
  const text = readNamedFile(requirement, file);
  if (text.match(CERTIFICATE)?.some(isCertificate)) return text;
  throw new ConfigError(`${requirement} a file of certificates in PEM; ${file} has none.`);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
