// Makes a picture of a page small: few colours are needed to show text, so each pixel becomes one byte of a palette.
import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Takes what Chromium writes: eight bits each of red, green and blue, alone or with alpha, not interlaced. */
export function smallPng(png) {
  const chunks = chunksOf(png);
  const head = chunks.find(({ type }) => type === "IHDR").data;
  const [width, height, bytes] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] === 6 ? 4 : 3];
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const colours = coloursOf(unfiltered(inflateSync(packed), { width, height, bytes }), bytes);
  const palette = paletteOf(colours);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = palette.index(colours[y * width + x]);
  const indexed = Buffer.from(head);
  indexed[9] = 3;
  const parts = [
    ["IHDR", indexed],
    ["PLTE", palette.bytes],
    ["IDAT", deflateSync(rows, { level: 9 })],
    ["IEND", Buffer.alloc(0)],
  ];
  return Buffer.concat([SIGNATURE, ...parts.map(([type, data]) => chunk(type, data))]);
}

function chunksOf(png) {
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc(body), body.length + 4);
  return whole;
}

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** Undoes what each line was filtered with, by its neighbours to the left and above. */
function unfiltered(data, { width, height, bytes }) {
  const line = width * bytes;
  const out = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x < bytes ? 0 : out[y * line + x - bytes];
      const up = y === 0 ? 0 : out[(y - 1) * line + x];
      const corner = x < bytes || y === 0 ? 0 : out[(y - 1) * line + x - bytes];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[y * line + x] = data[y * (line + 1) + 1 + x] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function coloursOf(pixels, bytes) {
  return Array.from({ length: pixels.length / bytes }, (_, at) => pixels.readUIntBE(at * bytes, 3));
}

/** The most frequent colours, those that say something before greys; any other becomes the nearest of them. */
function paletteOf(colours) {
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const worth = ([colour, count]) => count * (saturation(colour) > 40 ? 50 : 1);
  const kept = [...counts]
    .sort((one, other) => worth(other) - worth(one))
    .slice(0, 192)
    .map(([colour]) => colour);
  const known = new Map(kept.map((colour, at) => [colour, at]));
  const index = (colour) => {
    if (!known.has(colour)) known.set(colour, nearest(kept, colour));
    return known.get(colour);
  };
  return {
    index,
    bytes: Buffer.concat(kept.map((colour) => Buffer.from([colour >> 16, (colour >> 8) & 255, colour & 255]))),
  };
}

function saturation(colour) {
  const parts = [colour >> 16, (colour >> 8) & 255, colour & 255];
  return Math.max(...parts) - Math.min(...parts);
}

function nearest(kept, colour) {
  const distance = (other) =>
    ((other >> 16) - (colour >> 16)) ** 2 +
    (((other >> 8) & 255) - ((colour >> 8) & 255)) ** 2 +
    ((other & 255) - (colour & 255)) ** 2;
  return kept.reduce((best, each, at) => (distance(each) < distance(kept[best]) ? at : best), 0);
}
