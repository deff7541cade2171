// Runs the module. A message is [what, ...]; answers are [what, value], and one of "done" or "failed" ends each.
'use strict';
const answer = (what, value, moved = []) => postMessage([what, value], moved);
const say = text => answer('said', text);
const progress = (share, what) => answer('progress', [share, what]);

// A fit does not let messages in. The page takes this address away to stop it.
let token = '', asked = 0, gone = false;
function there() {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', token, false);
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}
function stopped() {
  const now = performance.now();
  if (token && !gone && now - asked > 100) [asked, gone] = [now, !there()];
  return gone;
}

const does = {
  start(module) {
    wasm_bindgen.initSync({module});
    return {lanes: wasm_bindgen.lanes(), methods: wasm_bindgen.methods()};
  },
  // Of a build for tests.
  bits: () => wasm_bindgen.bits(),
  size: (name, bytes) => wasm_bindgen.size(name, bytes),
  columns(name, bytes) {
    const own = wasm_bindgen.columns(name, bytes);
    const said = {names: own.names(), rows: own.rows()};
    own.free();
    return said;
  },
  fit(stop, name, bytes, target, drop, method, share, seed) {
    [token, asked, gone] = [stop, 0, false];
    if (origin === 'null' || !there()) {
      // A page that is a file may not ask.
      token = '';
      answer('deaf');
    }
    const began = performance.now();
    const own = wasm_bindgen.fit(name, bytes, target, drop, method, share, BigInt(seed));
    if (!own) return null;
    const said = {name: own.name(), model: own.model(), body: own.body(), page: own.page(), command: own.command(),
      stopped: own.stopped(), seconds: (performance.now() - began) / 1000};
    own.free();
    return said;
  },
};
onmessage = ({data: [what, ...given]}) => {
  try {
    answer('done', does[what](...given));
  } catch (error) {
    // A sentence; or the module's end, after which the page starts another worker.
    answer(typeof error === 'string' ? 'failed' : 'ended', String(error));
  }
};
