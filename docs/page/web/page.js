'use strict';
const $ = id => document.getElementById(id);
const blob = (parts, type) => URL.createObjectURL(new Blob(parts, {type}));

// The module, unpacked and compiled once; a worker that is ended is followed by another.
const unpacked = async () => {
  const packed = Uint8Array.from(atob($('module').textContent), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
};
const source = blob([$('worker').textContent], 'text/javascript');
let module, worker, ready;

function start() {
  const own = worker = new Worker(source);
  own.onmessage = ({data: [what, value]}) => {
    if (what === 'said') remark(value);
    else if (what === 'progress') progress(...value);
    else if (what === 'deaf') deaf = true;
    else if (what === 'done') own.resolve(value);
    else if (what === 'failed') own.reject(value);
    else end(`The fit ended without an answer, perhaps for want of memory (${value}).`);
  };
  own.onerror = event => own.reject(event.message);
  return ready = post('start', module);
}
const post = (...message) => new Promise((resolve, reject) => {
  Object.assign(worker, {resolve, reject});
  worker.postMessage(message);
});
async function ask(...message) {
  await ready;
  return post(...message);
}
function end(why) {
  const own = worker;
  own.terminate();
  start();
  own.reject(why);
}

// What is shown.
let table, began, token, deaf;
const show = (id, on) => { $(id).hidden = !on; };
function wrong(text) {
  $('wrong').textContent = text ?? '';
  show('wrong', text);
}
function remark(text) {
  $('said').append(Object.assign(document.createElement('li'), {textContent: text}));
  show('said', true);
}
function clear() {
  wrong();
  $('said').replaceChildren();
  $('doing').textContent = '';
  show('said', false);
  show('result', false);
}
function progress(share, what) {
  const now = (performance.now() - began) / 1000;
  const left = share < 1 && (share > .05 || now > 2 && share > .002) ? `, ${Math.round(now * (1 - share) / share)} s left` : '';
  $('bar').value = share;
  $('doing').textContent = `${token ? what : 'stopping'}: ${Math.floor(100 * share)} %, ${now.toFixed(0)} s${left}`;
}
function busy(on) {
  $('asked').disabled = $('file').disabled = $('example').disabled = on;
  $('fit').disabled = on || !table;
  show('stop', on);
  show('bar', on);
}

// A table.
async function take(name, size, read) {
  clear();
  table = undefined;
  $('asked').disabled = $('fit').disabled = true;
  $('chosen').textContent = name;
  $('about').textContent = 'reading';
  try {
    await ask('size', name, size);
    const bytes = new Uint8Array(await read());
    const {names, rows} = await ask('columns', name, bytes);
    table = {name, bytes};
    const option = (value, text) => new Option(text, value);
    // Without a choice the target is y, as of lcc fit.
    const first = names.includes('y') ? [] : [option('y', 'choose')];
    $('target').replaceChildren(...first, ...names.map(n => option(n, n)));
    if (!first.length) $('target').value = 'y';
    $('about').textContent = `${rows.toLocaleString('en')} rows, ${names.length} columns. Another table may be chosen, or dropped here.`;
    $('asked').disabled = $('fit').disabled = false;
  } catch (error) {
    $('about').textContent = 'Choose another table, or drop one here.';
    wrong(String(error));
  }
}
const taken = file => file && take(file.name, file.size, () => file.arrayBuffer());
$('file').onchange = event => taken(event.target.files[0]);
for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'])
  addEventListener(type, event => {
    event.preventDefault();
    $('table').classList.toggle('over', type === 'dragenter' || type === 'dragover');
    if (type === 'drop' && !$('file').disabled) taken(event.dataTransfer.files[0]);
  });
// A wave whose noise grows, and an input that does nothing.
$('example').onclick = () => {
  let state = 1;
  const uniform = () => (state = state * 48271 % 2147483647) / 2147483647;
  const noise = () => uniform() + uniform() + uniform() + uniform() - 2;
  const rows = Array.from({length: 150}, () => {
    const [time, load, idle] = [10 * uniform(), uniform(), uniform()];
    const y = Math.round(1000 * (Math.sin(time) + 2 * load * load + (.1 + .05 * time) * noise())) / 1000;
    return [time.toFixed(3), load.toFixed(3), idle.toFixed(3), y].join(',');
  });
  taken(new File(['time,load,idle,y\n' + rows.join('\n') + '\n'], 'example.csv'));
};

// A fit.
$('form').onsubmit = async event => {
  event.preventDefault();
  clear();
  began = performance.now();
  token = blob(['on'], 'text/plain');
  deaf = false;
  $('stop').textContent = 'Stop';
  progress(0, 'reading');
  busy(true);
  try {
    const [target, drop, method, share, seed] = ['target', 'drop', 'method', 'share', 'seed'].map(id => $(id).value);
    const out = await ask('fit', token, table.name, table.bytes, target, drop.trim(), method, Number(share), seed);
    $('doing').textContent = out ? `${out.seconds.toFixed(1)} s with the report.` : '';
    if (!out) wrong('Stopped before there were draws to keep: there is no model.');
    else result(out);
  } catch (error) {
    $('doing').textContent = '';
    wrong(String(error));
  }
  if (token) URL.revokeObjectURL(token);
  token = undefined;
  busy(false);
};
// As Ctrl-C of lcc fit: what was drawn so far is kept; a second time ends it.
$('stop').onclick = () => {
  if (!token || deaf) {
    end('Ended: there is no model.');
    return;
  }
  URL.revokeObjectURL(token);
  token = undefined;
  $('stop').textContent = 'End without a model';
};
function offer(id, name, content, type) {
  URL.revokeObjectURL($(id).href);
  Object.assign($(id), {href: blob([content], type), download: name});
}
function result(out) {
  if (out.stopped) remark('Stopped early: the model holds what was drawn until then.');
  offer('model', out.name, out.model, 'application/octet-stream');
  offer('report', out.name.replace(/lcc$/, 'html'), out.page, 'text/html');
  $('model').textContent = `Download ${out.name} (${Math.ceil(out.model.length / 1000).toLocaleString('en')} kB)`;
  $('report').textContent = 'Download the report';
  $('command').textContent = out.command;
  // Of lcc-model, which escapes what files say.
  $('body').innerHTML = out.body;
  show('result', true);
  $('result').scrollIntoView();
}

(async () => {
  try {
    module = await unpacked();
    const {lanes, methods} = await start();
    $('lanes').textContent = lanes;
    $('method').replaceChildren(...methods.map(name => new Option(name, name)));
    document.body.dataset.ready = '';
  } catch (error) {
    $('lanes').textContent = 'not started';
    wrong(`LCC does not start here: it needs a browser with WebAssembly and its simd128, of 2023 or newer (${error}).`);
  }
})();
