// Small helpers to build elements. Text is always set as text, never as markup.

export const $ = (selector) => document.querySelector(selector);

export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) {
      element.setAttribute(key, value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Replaces the children, and keeps the keyboard where it was if an element with the same id is there again. */
export function replace(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.id : '';
  parent.replaceChildren(...children);
  if (focused) {
    document.getElementById(focused)?.focus({ preventScroll: true });
  }
}
