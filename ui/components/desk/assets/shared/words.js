// @ts-check
// Numbers and times as a person reads them.

import { tr } from "./texts.js";

/**
 * @param {number} n
 * @param {string} one
 */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

// With the decimal sign of the language.
const decimal = (/** @type {number} */ number, /** @type {number} */ digits) =>
  number.toFixed(digits).replace(".", tr("."));

export const seconds = (/** @type {number} */ s, digits = 2) => `${decimal(s, digits)} s`;

/** @param {number} s */
export function minutes(s) {
  if (s < 60) return `${Math.floor(s)} s`;
  const whole = Math.floor(s / 60);
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`;
}

export const money = (/** @type {number} */ amount, /** @type {string} */ currency) =>
  `${decimal(amount, 2)} ${currency}`;

export const wallClock = (/** @type {Date} */ date) =>
  [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");

/** @type {Record<string, string>} */
const STATES = { corrupt: "damaged", missing: "missing" };

// A frame's number, state and time. The time is left out where it would give away the order.
/**
 * @param {{status: string, time?: number | null}} frame
 * @param {string | number} number
 * @param {number} [digits]
 */
export function frameWords(frame, number, digits, inFile = false) {
  const state = STATES[frame.status];
  const condition = state && (inFile ? `${tr(state)} ${tr("in the file")}` : tr(state));
  const time = typeof frame.time === "number" && Number.isFinite(frame.time) ? seconds(frame.time, digits) : null;
  return [number, condition, time].filter(Boolean).join(" · ");
}
