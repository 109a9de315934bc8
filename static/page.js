// The inbox that never moves under a finger, the review that cannot be rushed, and keys for a desk.
import { load, patch, show } from './core.js';

const find = (id) => document.getElementById(id);

// ---- Every page --------------------------------------------------------------------------------------------------
/** How many things wait for the reader: in the title, and at the inbox. The title's own words stay. */
function mark(page) {
  patch(page, ['waiting']);
  const [here, there] = [find('waiting'), page.getElementById('waiting')];
  if (here && there) here.hidden = there.hidden;
  const own = document.title.replace(/^\(\d+\) /, '');
  document.title = (page.title.match(/^\(\d+\) /)?.[0] ?? '') + own;
}

// A page that does not fetch itself for what happens elsewhere asks a small one, once for many hints.
let marking;
function remark({ type = '' }) {
  if (!find('waiting') || marking || !/^(proposal\.(created|decided|withdrawn|expired)|needs_you\.|grant|resync|poll)/.test(type)) return;
  marking = setTimeout(async () => {
    marking = null;
    try { mark((await load('/account')).page); } catch { /* the next hint asks again */ }
  }, 2000);
}

// ---- Inbox -------------------------------------------------------------------------------------------------------
let fresh = null; // the newest inbox, waiting behind the pill

const ids = (page) => new Map([...page.querySelectorAll('#list .item')].map((item) => [item.dataset.id, item]));

function showList() {
  const answer = fresh;
  fresh = null;
  if (answer) show(answer);
}

async function refreshInbox() {
  const answer = await load('/');
  if (!find('list') || !answer.page.getElementById('list')) return;
  patch(answer.page, ['count', 'paused']);
  mark(answer.page);
  const [here, there] = [ids(document), ids(answer.page)];
  let over = 0;
  for (const [id, item] of here) {
    const gone = !there.has(id);
    if (gone && !item.classList.contains('over')) {
      item.classList.add('over');
      item.querySelector('.gone').hidden = false;
    }
    if (gone) item.querySelector('.gone').textContent = endings.get(id) ?? 'No longer waiting';
    over += gone;
  }
  const added = [...there.keys()].filter((id) => !here.has(id)).length;
  fresh = answer;
  // Nobody can be about to tap something in an empty or a hidden list.
  if (document.hidden || here.size === over) return showList();
  const pill = find('fresh');
  pill.hidden = added === 0;
  pill.textContent = `${added} new`;
}

// How proposals ended, as far as this page has heard.
const endings = new Map();
const ends = {
  'proposal.withdrawn': () => 'The agent moved on',
  'proposal.expired': () => 'Expired undecided',
  'proposal.decided': ({ outcome = 'decided', decided_by: who }) =>
    `${outcome[0].toUpperCase()}${outcome.slice(1)}${who ? ` by ${who}` : ''}`,
};
document.addEventListener('hint', ({ detail: { type, data, proposal_id: id } }) => {
  if (ends[type]) endings.set(id, ends[type](data ?? {}));
});

// ---- Review ------------------------------------------------------------------------------------------------------
const proposal = () => find('main')?.dataset.proposal;

async function refreshReview() {
  const answer = await load(location.pathname);
  if (!proposal()) return;
  const [open, stays] = [find('decide'), answer.page.getElementById('decide')];
  if (open && !stays) {
    // Decided elsewhere: say who, and take the buttons away. What was typed stays in the session's memory.
    show(answer);
    scrollTo(0, 0);
    return;
  }
  patch(answer.page, ['outcome', 'receipts', 'facts', 'paused']);
}

// ---- Lane --------------------------------------------------------------------------------------------------------
/** New rows of a log come on top; those that somebody has opened stay as they are. */
function grow(page) {
  const [here, there] = [document, page].map((root) => root.querySelector('[data-log]'));
  if (!here || !there) return patch(page, ['activity']);
  const known = new Set([...here.children].map((row) => row.dataset.id));
  here.prepend(...[...there.children].filter((row) => !known.has(row.dataset.id)).map((row) => document.adoptNode(row)));
}

/** What is over stays where it is, and new ones come below: somebody may be about to press a button there. */
function growNeeds(page) {
  const rows = (root) => new Map([...root.querySelectorAll('#needs [data-id]')].map((row) => [row.dataset.id, row]));
  const [here, there] = [rows(document), rows(page)];
  for (const [id, row] of here) {
    if (there.has(id)) continue;
    row.classList.add('over');
    row.querySelector('.acts').inert = true;
    row.querySelector('.why').textContent = 'No longer needed.';
  }
  const open = [...here.keys()].some((id) => there.has(id));
  if (document.hidden || !open) return patch(page, ['needs']);
  const list = document.querySelector('#needs ul');
  list.append(...[...there].filter(([id]) => !here.has(id)).map(([, row]) => document.adoptNode(row)));
}

async function refreshLane(frame) {
  const name = find('main').dataset.lane;
  if (frame.lane && frame.lane !== name) return;
  const { page } = await load(location.pathname);
  if (find('main')?.dataset.lane !== name) return;
  grow(page);
  // Somebody may be about to tap what waits here.
  if (document.hidden || !document.querySelector('#here .item')) patch(page, ['here']);
  growNeeds(page);
  patch(page, ['queue', 'tickets', 'stalls', 'policy', 'panes', 'agents', 'decided', 'paused']);
  mark(page);
}

/** The list of lanes; who stands on one with the keyboard stays there. */
async function refreshLanes() {
  const { page } = await load(location.pathname);
  const held = document.activeElement?.closest('#lanes a')?.getAttribute('href');
  patch(page, ['lanes', 'paused']);
  mark(page);
  if (held) document.querySelector(`#lanes a[href="${held}"]`)?.focus();
}

let working = false, again = null;
async function refresh(frame) {
  // Of several hints the last may be of another lane or proposal: then all is looked at.
  if (working) { again = again ? { type: 'resync' } : frame; return; }
  working = true;
  try {
    await new Promise((then) => setTimeout(then, 150));
    if (find('list')) await refreshInbox();
    else if (find('lanes')) await refreshLanes();
    else if (find('main')?.dataset.lane) await refreshLane(frame);
    else {
      if (proposal() && (!frame.proposal_id || frame.proposal_id === proposal())) await refreshReview();
      remark(frame);
    }
  } catch { /* the next hint or poll asks again */ }
  working = false;
  if (again) { const next = again; again = null; refresh(next); }
}
document.addEventListener('hint', ({ detail }) => refresh(detail));
// Panes are heard of all the time and told of only when they change: when each was last seen is asked for.
setInterval(() => { if (!document.hidden && document.querySelector('.pane')) refresh({ type: 'poll' }); }, 20000);

// Typed words outlive a reload, a lost connection and a signed-out session.
const key = (field) => `cs:${location.pathname.split('/').slice(0, 3).join('/')}:${field.closest('form')?.id ?? field.form?.id}:${field.name}`;

function keep() {
  for (const field of document.querySelectorAll('[data-keep]')) {
    const kept = sessionStorage.getItem(key(field));
    if (kept !== null && field.value === field.defaultValue) field.value = kept;
  }
  if (find('main')?.querySelector('.verdict') && !document.querySelector('.late')) {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(`cs:${location.pathname}:`)) sessionStorage.removeItem(name);
  }
}
document.addEventListener('input', ({ target }) => {
  if (target.matches('[data-keep]')) sessionStorage.setItem(key(target), target.value);
  if (target.matches('[data-preview]')) preview(target);
  if (target.closest('.ask')) answered();
});

let later;
function preview(field) {
  clearTimeout(later);
  later = setTimeout(async () => {
    const body = new URLSearchParams(new FormData(field.form));
    body.delete('password');
    body.set('step', 'preview');
    try { patch((await load(field.form.action, body)).page, ['preview']); } catch { /* the button still works */ }
  }, 600);
}

/** Locks a button with a reason, or unlocks it. */
function lock(button, why) {
  if (!button) return;
  button.setAttribute('aria-disabled', String(Boolean(why)));
  const small = button.querySelector('small') ?? button.appendChild(document.createElement('small'));
  button.dataset.says ??= small.textContent;
  small.textContent = why || button.dataset.says;
  if (!small.textContent) small.remove();
}

let eye, unread = false;
function read() {
  eye?.disconnect();
  unread = false;
  const button = find('do-approve');
  if (!button || find('main').dataset.long === undefined) return;
  // With script the bar can stand where it always stands: it is the lock that waits, not the reader.
  find('decide').classList.remove('at-end');
  unread = true;
  lock(button, 'read to the end first');
  eye = new IntersectionObserver((seen) => {
    if (!seen.some((part) => part.isIntersecting)) return;
    eye.disconnect();
    unread = false;
    lock(button, '');
    answered();
  });
  eye.observe(find('read-end'));
}

/** Questions: the button says what is missing. */
function answered() {
  const asks = [...document.querySelectorAll('fieldset.ask:not(:disabled)')];
  if (!asks.length || unread) return;
  const open = asks.filter((ask) => !ask.querySelector(':checked') && !ask.querySelector('textarea')?.value.trim());
  lock(find('do-approve'), open.length === 0 ? '' : asks.length === 1 ? 'choose first' : `${open.length} to go`);
}

// The finger that held is still down when a quick answer arrives: lifting it presses nothing of what lies beneath it then.
let spent = false;
document.addEventListener('pointerdown', () => { spent = false; }, true);

document.addEventListener('click', (event) => {
  if (spent && event.detail > 0) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const button = event.target.closest('.btn');
  if (button?.getAttribute('aria-disabled') === 'true') {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (unread) find('bar-note').textContent = 'This proposal is long. Approving unlocks at its end.';
  } else if (event.target.id === 'fresh') {
    showList();
    scrollTo(0, 0);
  } else if (button?.matches('[data-hold]') && event.detail > 0) {
    // A pointer holds; a keyboard or a switch presses, and confirms in the sheet.
    event.preventDefault();
  }
}, true);

let holding;
function release(hinting) {
  if (!holding) return;
  clearTimeout(holding.timer);
  holding.button.classList.remove('holding');
  if (hinting) {
    find('bar-note').textContent = 'Keep the button pressed until it is full.';
    find('by-step').hidden = false;
  }
  holding = null;
}
document.addEventListener('pointerdown', (event) => {
  const button = event.target.closest('[data-hold]');
  if (!button || event.button !== 0 || button.getAttribute('aria-disabled') === 'true') return;
  button.classList.add('holding');
  const timer = setTimeout(() => {
    release(false);
    spent = true;
    navigator.vibrate?.(30);
    const form = find('approve');
    form.requestSubmit(form.querySelector('button'));
    button.querySelector('small').textContent = 'sending…';
  }, 800);
  holding = { button, timer };
});
for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, () => release(type === 'pointerup'));
document.addEventListener('pointerout', (event) => { if (holding && event.target.closest('[data-hold]') && !holding.button.contains(event.relatedTarget)) release(true); });
document.addEventListener('contextmenu', (event) => { if (event.target.closest('[data-hold]')) event.preventDefault(); });

// A sheet takes the focus and gives it back.
let before;
addEventListener('hashchange', () => {
  const sheet = document.querySelector('.sheet:target');
  if (sheet) {
    before ??= document.activeElement;
    (sheet.querySelector('textarea, input:not([type="hidden"])') ?? sheet.querySelector('a')).focus();
  } else {
    before?.isConnected && before.focus({ preventScroll: true });
    before = undefined;
  }
});

// ---- Keys --------------------------------------------------------------------------------------------------------
const keysOn = () => { try { return localStorage.getItem('keys') !== 'off'; } catch { return true; } };
document.addEventListener('change', ({ target }) => {
  if (target.id === 'keys-on') localStorage.setItem('keys', target.checked ? 'on' : 'off');
});

function step(by) {
  const links = [...document.querySelectorAll('.items a')];
  const at = links.indexOf(document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + by))]?.focus();
}

document.addEventListener('keydown', (event) => {
  const sheet = document.querySelector('.sheet:target');
  if (event.key === 'Escape' && sheet) location.hash = '#-';
  if (event.key === ' ' && event.target.matches?.('a.btn')) { event.preventDefault(); event.target.click(); }
  const typing = event.target.closest?.('input:not([type="radio"], [type="checkbox"]), textarea, select');
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return;
  const act = {
    j: () => step(1),
    k: () => step(-1),
    o: () => document.activeElement?.matches('.items a') && document.activeElement.click(),
    u: () => proposal() && location.assign('/'),
    // Never decides: it opens the step before the decision.
    a: () => find('do-approve')?.getAttribute('aria-disabled') !== 'true' && find('approve') && (location.hash = '#approve'),
    r: () => find('reject') && (location.hash = '#reject'),
    e: () => find('do-edit')?.click(),
    '?': () => (location.hash = '#keys'),
  }[event.key];
  if (act && !sheet) { event.preventDefault(); act(); }
});

// ---- A page begins -----------------------------------------------------------------------------------------------
function begin() {
  for (const node of document.querySelectorAll('[data-scripted]')) node.textContent = node.dataset.scripted;
  for (const hold of document.querySelectorAll('[data-hold]')) hold.setAttribute('role', 'button');
  const toggle = find('keys-on');
  if (toggle) toggle.checked = keysOn();
  keep();
  // A sheet that the server opened is one like any other from here on, unless it was closed before the script ran.
  const open = document.querySelector('.sheet.open');
  if (open) {
    open.classList.remove('open');
    if (location.hash !== '#-') location.hash = `#${open.id}`;
  }
  read();
  answered();
  fresh = null;
  const zones = document.querySelector('[data-zone-hint]');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zones && zone) { zones.hidden = false; zones.textContent = `This device is in ${zone}.`; }
}
begin();
document.addEventListener('page', begin);
addEventListener('pageshow', (event) => { if (event.persisted) refresh({ type: 'resync' }); });
