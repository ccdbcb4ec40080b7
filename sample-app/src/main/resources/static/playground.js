const TICK = 25;
const PROMISES = {
  'fixed-window': ['Fixed window', 'Counts in windows of the clock. Twice the permits may pass around an edge.'],
  'sliding-window-log': ['Sliding window log', 'Remembers every grant. Never more than the permits in any period.'],
  'sliding-window-counter': ['Sliding window counter', 'Counts in slots that slide. As strict as the log, in constant space.'],
  'leaky-bucket': ['Leaky bucket', 'Calls queue and leave evenly spaced. What overflows is denied.'],
  'token-bucket': ['Token bucket', 'Refills steadily. Lets a burst through, then the rate.'],
};
const HINTS = {
  STEADY: 'Nine tenths of what is allowed, evenly. Nobody is denied by any algorithm.',
  BURST: 'Twice what is allowed, all at once, and again later. The leaky bucket lets one call go at a time; the others let the burst through.',
  WINDOW_EDGE: 'Everything a window allows just before its edge, and just after it. The fixed window lets twice the permits through; sliding windows do not.',
  OVERLOAD: 'Ten times what is allowed, evenly. Windows let calls through in clumps, buckets one by one.',
};

const form = document.getElementById('controls');
const statusLine = document.getElementById('status');
const playButton = document.getElementById('play');
const stopButton = document.getElementById('stop');
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const session = Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-');
const lanes = new Map(Object.entries(PROMISES).map(([name, words]) => ['playground-' + name, newLane(words)]));
let run = newRun();

function newLane([title, promise]) {
  const item = document.getElementById('lane').content.firstElementChild.cloneNode(true);
  item.querySelector('h2').textContent = title;
  item.querySelector('.promise').textContent = promise;
  document.getElementById('lanes').append(item);
  const find = name => item.querySelector(name);
  return {
    item, title, canvas: find('canvas'), allowedText: find('.allowed'), deniedText: find('.denied'),
    busiestText: find('.busiest'), headersText: find('.headers'), ...nothing(),
  };
}

function nothing() {
  return { went: [], denials: [], levels: [], denied: 0, capacity: 0 };
}

function newRun() {
  return { period: 2000, permits: 10, lasts: 8000, at: 0, calls: 0, edges: [], playing: false };
}

function take(name, data) {
  if (name === 'start') {
    run.lasts = data.lastsMillis;
    run.order = data.lanes.map(each => lanes.get(each.limit));
    data.lanes.forEach(each => { lanes.get(each.limit).capacity = each.capacity; });
  } else if (name === 'frame') {
    takeFrame(data);
  } else if (data.failure) {
    throw new Error(data.failure);
  }
}

function takeFrame(frame) {
  run.at = frame.at;
  run.calls += frame.calls;
  run.edges.push(...frame.edges);
  frame.lanes.forEach((each, i) => {
    const lane = run.order[i];
    lane.went.push(...each.went);
    lane.denied += each.denied;
    if (each.denied > 0) {
      lane.denials.push([frame.at, each.denied]);
    }
    lane.levels.push([frame.at, each.used]);
    if (each.status) {
      lane.headers = 'HTTP ' + each.status + '\n'
        + Object.entries(each.headers).map(([name, value]) => name + ': ' + value).join('\n');
    }
  });
}

// Frames know time to a tick: calls exactly a period apart must not look closer.
function busiest(went) {
  let busy = { most: 0, from: 0, to: 0 };
  let from = 0;
  for (let to = 0; to < went.length; to++) {
    while (went[to] - went[from] >= run.period - 2 * TICK) {
      from++;
    }
    if (to - from + 1 > busy.most) {
      busy = { most: to - from + 1, from: went[from], to: went[to] };
    }
  }
  return busy;
}

function show() {
  const tallest = Math.max(1, ...[...lanes.values()].map(lane => Math.max(...bins(lane.went), ...denialBins(lane))));
  for (const lane of lanes.values()) {
    const { most } = busiest(lane.went);
    lane.allowedText.textContent = lane.went.length;
    lane.deniedText.textContent = lane.denied;
    lane.busiestText.textContent = lane.went.length ? most + ' of ' + run.permits : '–';
    lane.busiestText.classList.toggle('over', most > run.permits);
    lane.headersText.textContent = lane.headers ?? 'no call yet';
    draw(lane, tallest);
  }
}

const BINS = 160;

function bins(times) {
  const counts = new Array(BINS).fill(0);
  times.forEach(time => { if (time <= run.lasts) { counts[bin(time)]++; } });
  return counts;
}

function denialBins(lane) {
  const counts = new Array(BINS).fill(0);
  lane.denials.forEach(([time, count]) => { counts[bin(time)] += count; });
  return counts;
}

function bin(time) {
  return Math.min(BINS - 1, Math.floor(time / run.lasts * BINS));
}

function draw(lane, tallest) {
  const canvas = lane.canvas;
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue('--' + name);
  const pen = canvas.getContext('2d');
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  const x = time => time / run.lasts * width;
  const strip = 30;
  const area = height - strip - 16;
  const middle = Math.round(area * 0.58);

  const busy = busiest(lane.went);
  if (busy.most > run.permits) {
    pen.fillStyle = colour('over');
    pen.fillRect(x(busy.from) - 4, 0, x(busy.to) - x(busy.from) + 8, area);
  }
  pen.strokeStyle = colour('edge');
  pen.setLineDash([3, 4]);
  run.edges.forEach(edge => line(pen, x(edge), 0, x(edge), area));
  pen.setLineDash([]);

  const wide = Math.max(1.5, width / BINS - 1);
  bars(bins(lane.went), middle - 4, -1, colour('went'));
  bars(denialBins(lane), area - middle - 4, 1, colour('denied'));
  pen.strokeStyle = colour('field');
  line(pen, 0, middle, width, middle);
  level();
  seconds();
  describe(lane);

  function bars(counts, most, direction, fill) {
    pen.fillStyle = fill;
    counts.forEach((count, i) => {
      if (count > 0) {
        const high = Math.max(3, Math.sqrt(count / tallest) * most);
        pen.fillRect(i * width / BINS, direction < 0 ? middle - high : middle + 1, wide, high);
      }
    });
  }

  function level() {
    const bottom = height - 15;
    const y = used => bottom - used / Math.max(1, lane.capacity) * (strip - 5);
    pen.strokeStyle = colour('line');
    line(pen, 0, y(lane.capacity || 1), width, y(lane.capacity || 1));
    line(pen, 0, bottom, width, bottom);
    if (lane.levels.length === 0) {
      return;
    }
    pen.beginPath();
    lane.levels.forEach(([time, used], i) => {
      if (i > 0) {
        pen.lineTo(x(time), y(lane.levels[i - 1][1]));
      }
      pen.lineTo(x(time), y(used));
    });
    pen.strokeStyle = colour('level');
    pen.lineWidth = 1.5;
    pen.stroke();
    pen.lineTo(x(lane.levels.at(-1)[0]), bottom);
    pen.lineTo(x(lane.levels[0][0]), bottom);
    pen.fillStyle = colour('level-soft');
    pen.fill();
    pen.lineWidth = 1;
  }

  function seconds() {
    pen.fillStyle = colour('quiet');
    pen.font = '11px system-ui, sans-serif';
    const step = run.lasts / width > 25 ? 2000 : 1000;
    for (let time = 0; time < run.lasts - 300; time += step) {
      pen.fillText(time / 1000 + ' s', x(time) + (time ? 2 : 0), height - 2);
    }
  }
}

function line(pen, fromX, fromY, toX, toY) {
  pen.beginPath();
  pen.moveTo(fromX, fromY + 0.5);
  pen.lineTo(toX, toY + 0.5);
  pen.stroke();
}

function describe(lane) {
  lane.canvas.setAttribute('aria-label', lane.title + ': ' + lane.went.length + ' allowed, ' + lane.denied
    + ' denied, at most ' + busiest(lane.went).most + ' in one period');
}

async function play() {
  const choice = new FormData(form);
  const mine = { ...newRun(), playing: true, permits: +choice.get('permits'), period: +choice.get('period') };
  const begun = run.playing;
  run = mine;
  lanes.forEach(lane => Object.assign(lane, nothing(), { headers: undefined }));
  const query = new URLSearchParams([...choice, ['session', session]]);
  say('Playing…', true);
  show();
  if (!begun) {
    animate();
  }
  try {
    const answer = await fetch('playground/run?' + query);
    if (!answer.ok) {
      throw new Error(answer.headers.get('Content-Type')?.startsWith('text/plain')
        ? await answer.text() : 'The server answers ' + answer.status + '.');
    }
    await listen(answer.body, mine);
    end(mine, 'Played ' + mine.calls + ' calls on each limit, in ' + (mine.at / 1000).toFixed(1) + ' s.');
  } catch (failure) {
    end(mine, 'Not played: ' + failure.message);
  }
}

// A run that another one has replaced is heard no more.
function end(mine, text) {
  mine.playing = false;
  if (run === mine) {
    say(text, false);
    show();
  }
}

async function listen(body, mine) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest += part.value;
    const events = rest.split('\n\n');
    rest = events.pop();
    if (run === mine) {
      events.forEach(read);
    }
  }
}

function read(event) {
  const fields = new Map(event.split('\n').map(each => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1)]));
  take(fields.get('event').trim(), JSON.parse(fields.get('data')));
}

function animate() {
  if (run.playing) {
    show();
    if (calm.matches) {
      setTimeout(animate, 1000);
    } else {
      requestAnimationFrame(animate);
    }
  }
}

function say(text, playing) {
  statusLine.textContent = text;
  playButton.textContent = playing ? 'Play anew' : 'Play';
  if (!playing && document.activeElement === stopButton) {
    playButton.focus();
  }
  stopButton.disabled = !playing;
  document.body.dataset.playing = playing;
}

function hint() {
  document.getElementById('hint').textContent = HINTS[new FormData(form).get('pattern')];
}

form.addEventListener('change', hint);
form.addEventListener('submit', event => {
  event.preventDefault();
  play();
});
stopButton.addEventListener('click', () => fetch('playground/stop?session=' + session, { method: 'POST' }));
addEventListener('resize', show);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
hint();
show();
