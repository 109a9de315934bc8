// What every page shares: sending forms, fetching the page again, live hints, times. The server's word is the only truth:
// a hint makes the page fetch itself, and nothing is ever painted from what the browser believes.

/** Fetches a page as a document. It never runs its scripts; no string becomes markup here. */
export function load(url, body) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(body ? 'POST' : 'GET', url);
    request.responseType = 'document';
    request.setRequestHeader('Accept', 'text/html');
    request.timeout = 20000;
    if (body) request.setRequestHeader('Content-Type', 'application/x-www-form-urlencoded');
    // A server in trouble has decided nothing: what is on the page stays.
    request.onload = () => request.status < 500 && request.response?.getElementById('page')
      ? done({ page: request.response, url: body && request.responseURL === new URL(url, location.href).href ? location.href : request.responseURL })
      : fail(new Error(`status ${request.status}`));
    request.onerror = request.ontimeout = () => fail(new Error('no answer'));
    request.send(body);
  });
}

/** Shows another document in place of this one. */
export function show({ page, url }) {
  document.getElementById('page').replaceWith(document.adoptNode(page.getElementById('page')));
  document.title = page.title;
  document.body.className = page.body.className;
  adjust(page.body, Date.now());
  if (page.body.dataset.live !== undefined) document.body.dataset.live = page.body.dataset.live;
  const there = new URL(url);
  if (there.pathname + there.search !== location.pathname + location.search || location.hash) {
    history.replaceState(null, '', there.pathname + there.search);
  }
  if (location.hash) location.hash = '#-';
  tick();
  paint();
  document.dispatchEvent(new Event('page'));
}

/** Replaces single parts, found by id, by those of a fresh document; what a person types in stays. */
export function patch(page, ids) {
  for (const id of ids) {
    const [here, there] = [document.getElementById(id), page.getElementById(id)];
    if (here && there && here.textContent !== there.textContent) here.replaceWith(document.adoptNode(there));
  }
  tick();
}

// Sending: one answer at a time; the button says so until the server has spoken.
let sending = false;
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('[data-send]') || event.defaultPrevented) return;
  event.preventDefault();
  if (sending) return;
  sending = true;
  const button = event.submitter ?? form.querySelector('button');
  const body = new URLSearchParams(new FormData(form, button));
  const problem = form.querySelector('[data-problem]');
  const label = [...button.childNodes].map((node) => node.cloneNode(true));
  button.classList.add('busy');
  button.textContent = 'Sending…';
  if (problem) problem.hidden = true;
  try {
    const answer = await load(form.action, body);
    show(answer);
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  } catch {
    button.replaceChildren(...label);
    button.classList.remove('busy');
    const text = 'No answer from the server. What you wrote is kept; press again when you are back online. Nothing is decided twice.';
    if (problem) {
      problem.textContent = text;
      problem.hidden = false;
    } else {
      const note = document.getElementById('bar-note');
      if (note) note.textContent = text;
    }
  } finally {
    sending = false;
  }
});

// Times grow old by themselves.
function ago(seconds) {
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return seconds < 604800 ? `${Math.floor(seconds / 86400)} d ago` : null;
}

function remaining(seconds) {
  if (seconds <= 0) return 'time is over';
  if (seconds < 60) return `${seconds} s left`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min left`;
  return seconds < 86400 ? `${Math.floor(seconds / 3600)} h left` : `${Math.floor(seconds / 86400)} d left`;
}

function say(node, text) {
  if (text && node.textContent !== text) node.textContent = text;
}

// Times are the server's; a device with a wrong clock still counts right.
let ahead = 0;
function adjust(body, fetched) {
  if (body.dataset.now) ahead = Date.parse(body.dataset.now) - fetched;
}
const clock = () => Date.now() + ahead;

function tick() {
  for (const node of document.querySelectorAll('time[data-ago]')) {
    say(node, ago(Math.max(0, Math.floor((clock() - Date.parse(node.dateTime)) / 1000))));
  }
  for (const node of document.querySelectorAll('time[data-left]')) {
    const seconds = Math.ceil((Date.parse(node.dateTime) - clock()) / 1000);
    say(node, remaining(seconds));
    node.classList.toggle('urgent', seconds < 120);
    if (seconds === -1) hint({ type: 'due' });
  }
}
setInterval(tick, 1000);

adjust(document.body, Date.now() - Math.max(0, performance.now() - (performance.getEntriesByType('navigation')[0]?.responseStart ?? 0)));

// Live: a socket brings hints, and a page without one asks every ten seconds.
let socket, cursor, tries = 0, lostSince = 0, wake, polls, leaving = false;
addEventListener('submit', (event) => { leaving = !event.defaultPrevented; });

function hint(detail) {
  document.dispatchEvent(new CustomEvent('hint', { detail }));
}

function paint() {
  const live = document.getElementById('live');
  const lost = document.getElementById('lost');
  const on = socket?.readyState === WebSocket.OPEN;
  const late = !on && lostSince && Date.now() - lostSince > 4900;
  if (live) {
    live.hidden = !on && !late;
    live.dataset.state = on ? 'on' : 'off';
    live.textContent = on ? 'live' : 'not live';
  }
  if (lost) {
    lost.hidden = !late;
    if (late && !lost.textContent) lost.textContent = 'Connection lost. Trying again; meanwhile this page asks every 10 seconds.';
    if (on) lost.textContent = '';
  }
  if (late && !polls) polls = setInterval(() => hint({ type: 'poll' }), 10000);
  if (on && polls) polls = clearInterval(polls);
}

function connect() {
  clearTimeout(wake);
  if (document.body.dataset.live === undefined || socket?.readyState <= WebSocket.OPEN) return;
  cursor ??= document.body.dataset.live;
  const url = new URL('/api/v1/events', location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  if (cursor) url.searchParams.set('after', cursor);
  socket = new WebSocket(url);
  socket.onopen = () => {
    // Without a cursor, or after a while, something may have been missed.
    if (!cursor || tries) hint({ type: 'resync' });
    tries = lostSince = 0;
    paint();
  };
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data);
    cursor = frame.type === 'resync' ? frame.cursor ?? '' : frame.cursor ?? cursor;
    hint(frame);
  };
  socket.onclose = ({ code }) => {
    if (code === 4401) {
      // Somebody who is signing out here is on the way to the door already.
      if (!leaving) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
      return;
    }
    lostSince ||= Date.now();
    setTimeout(paint, 5000);
    const delay = code === 1012 ? 500 : Math.min(30000, 500 * 2 ** tries);
    tries += 1;
    wake = setTimeout(connect, delay * (0.7 + Math.random() * 0.6));
    paint();
  };
}
connect();
document.addEventListener('page', connect);
document.addEventListener('visibilitychange', () => { if (!document.hidden) { tick(); connect(); } });
addEventListener('online', connect);

// Small things of single pages.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll('[data-zone]')) field.value = zone;
function takeCode() {
  const code = document.getElementById('code');
  // Only what the server prints is one: the link that skips to the content has a fragment, too.
  if (!code || !/^#[\w-]{22}$/.test(location.hash)) return;
  code.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
}
takeCode();
addEventListener('hashchange', takeCode);
tick();
