import { crc32, deflateRawSync } from "node:zlib";

/** One entry of a test archive; a name with a trailing slash is a folder. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: Buffer | string;
  /** Declared in the entry table instead of the true size. */
  readonly declaredSize?: number;
}

export interface ZipOptions {
  /** Writes the sizes and the table's position into zip64 fields. */
  readonly zip64?: boolean;
  /** Declared at the end of the archive instead of the true number of entries. */
  readonly entryCount?: number;
  /** Positions declared in the zip64 end (of the table) and in its locator (of that end). */
  readonly zip64TableOffset?: bigint;
  readonly zip64EndOffset?: bigint;
}

const allOnes = 0xffffffff;

export function buildZip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const isZip64 = options.zip64 ?? false;
  const files: Buffer[] = [];
  const table: Buffer[] = [];
  let offset = 0;
  for (const { name, content = "", declaredSize } of entries) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const fileName = Buffer.from(name);
    const size = declaredSize ?? plain.length;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(crc32(plain), 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(Math.min(size, allOnes), 22);
    local.writeUInt16LE(fileName.length, 26);
    const extra = isZip64 ? zip64Sizes(size, packed.length, offset) : Buffer.alloc(0);
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50, 0);
    row.writeUInt16LE(45, 6);
    row.writeUInt16LE(8, 10);
    row.writeUInt32LE(crc32(plain), 16);
    row.writeUInt32LE(isZip64 ? allOnes : packed.length, 20);
    row.writeUInt32LE(isZip64 ? allOnes : Math.min(size, allOnes - 1), 24);
    row.writeUInt16LE(fileName.length, 28);
    row.writeUInt16LE(extra.length, 30);
    row.writeUInt32LE(isZip64 ? allOnes : offset, 42);
    table.push(row, fileName, extra);
    files.push(local, fileName, packed);
    offset += local.length + fileName.length + packed.length;
  }
  const count = options.entryCount ?? entries.length;
  const tableSize = Buffer.concat(table).length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isZip64 ? 0xffff : count, 8);
  end.writeUInt16LE(isZip64 ? 0xffff : count, 10);
  end.writeUInt32LE(isZip64 ? allOnes : tableSize, 12);
  end.writeUInt32LE(isZip64 ? allOnes : offset, 16);
  const zip64 = isZip64 ? zip64End(count, tableSize, offset, options) : [];
  return Buffer.concat([...files, ...table, ...zip64, end]);
}

function zip64Sizes(size: number, packedSize: number, offset: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(size), 4);
  extra.writeBigUInt64LE(BigInt(packedSize), 12);
  extra.writeBigUInt64LE(BigInt(offset), 20);
  return extra;
}

function zip64End(count: number, tableSize: number, tableOffset: number, options: ZipOptions): Buffer[] {
  const end = Buffer.alloc(56);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(tableSize), 40);
  end.writeBigUInt64LE(options.zip64TableOffset ?? BigInt(tableOffset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(options.zip64EndOffset ?? BigInt(tableOffset + tableSize), 8);
  locator.writeUInt32LE(1, 16);
  return [end, locator];
}
