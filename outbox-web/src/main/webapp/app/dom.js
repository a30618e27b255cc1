// Small helpers to build elements. Text is always set as text, never as markup.

export const $ = (selector) => document.querySelector(selector);

export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(key, value === true ? '' : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Makes the children of an element look like these. What is there is changed rather than replaced, so that the focus,
 * a selection, a pressed button and an opened detail stay as they are. Elements with an id are known again by it.
 */
export function replace(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const wanted = document.createElement(parent.nodeName);
  wanted.append(...children);
  syncChildren(parent, wanted);
  if (focused?.id && document.activeElement !== focused) {
    document.getElementById(focused.id)?.focus({ preventScroll: true });
  }
}

function syncChildren(parent, wanted) {
  const byId = new Map([...parent.children].filter((child) => child.id).map((child) => [child.id, child]));
  let at = parent.firstChild;
  for (const next of [...wanted.childNodes]) {
    const found = next.id ? byId.get(next.id) : at;
    if (found && found.nodeName === next.nodeName && (found.id ?? '') === (next.id ?? '')) {
      if (found !== at) {
        parent.insertBefore(found, at);
      }
      sync(found, next);
      at = found.nextSibling;
    } else {
      parent.insertBefore(next, at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function sync(node, wanted) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.data !== wanted.data) {
      node.data = wanted.data;
    }
    return;
  }
  for (const { name } of [...node.attributes]) {
    if (!wanted.hasAttribute(name) && name !== 'open') {
      node.removeAttribute(name);
    }
  }
  for (const { name, value } of wanted.attributes) {
    if (node.getAttribute(name) !== value) {
      node.setAttribute(name, value);
    }
  }
  syncChildren(node, wanted);
}
