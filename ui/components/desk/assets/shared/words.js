// Numbers and times as a person reads them.

import { tr } from "./texts.js";

export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

// With the decimal sign of the language.
const decimal = (number, digits) => number.toFixed(digits).replace(".", tr("."));

export const seconds = (s, digits = 2) => `${decimal(s, digits)} s`;

export function minutes(s) {
  if (s < 60) return `${Math.floor(s)} s`;
  const whole = Math.floor(s / 60);
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`;
}

export const money = (amount, currency) => `${decimal(amount, 2)} ${currency}`;

export const wallClock = (date) =>
  [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");

const STATES = { corrupt: "damaged", missing: "missing" };

// A frame's number, state and time. The time is left out where it would give away the order.
export function frameWords(frame, number, digits, inFile = false) {
  const state = STATES[frame.status];
  const condition = state && (inFile ? `${tr(state)} ${tr("in the file")}` : tr(state));
  const time = Number.isFinite(frame.time) ? seconds(frame.time, digits) : null;
  return [number, condition, time].filter(Boolean).join(" · ");
}
