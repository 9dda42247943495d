// A Bluesky network on this machine, of its real parts: PLC directory, PDS with its OAuth server and, given a
// PostgreSQL, the AppView. Started by network.py, which writes one line of JSON to stdin:
//
//   {"folder": where the packages are, "ports": {control, plc, pds, bsky}, "postgres": URL or null,
//    "tokenMaxAge": ms or null, "rateLimits": bool}
//
// Says one line of JSON when it is ready, and ends when stdin does: it cannot outlive whoever started it.
import { createRequire } from 'node:module'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import readline from 'node:readline'
import { pathToFileURL } from 'node:url'

const PASSWORD = 'hunter2-main'
const PEOPLE = ['alice', 'bob', 'carla']

const stdin = readline.createInterface({ input: process.stdin })
const given = JSON.parse(await new Promise((resolve) => stdin.once('line', resolve)))
stdin.on('close', () => process.exit(0))

// The parts would listen on every interface.
const anywhere = net.Server.prototype.listen
net.Server.prototype.listen = function (where, ...rest) {
  if (typeof where === 'number') {
    const done = rest.filter((one) => typeof one === 'function')
    return anywhere.call(this, { port: where, host: '127.0.0.1' }, ...done)
  }
  if (typeof where?.port === 'number') return anywhere.call(this, { ...where, host: '127.0.0.1' }, ...rest)
  return anywhere.call(this, where, ...rest)
}

const require = createRequire(path.join(given.folder, 'package.json'))
const dev = await import(pathToFileURL(require.resolve('@atproto/dev-env')))
const { ports } = given

const plc = await dev.TestPlc.create({ port: ports.plc })
const view = given.postgres ? await appView() : null
const pds = await dev.TestPds.create({
  port: ports.pds,
  hostname: 'localhost',
  didPlcUrl: plc.url,
  enableDidDocWithSession: true,
  rateLimitsEnabled: given.rateLimits,
  ...(view && {
    bskyAppViewUrl: view.bsky.url,
    bskyAppViewDid: view.bsky.ctx.cfg.serverDid,
    bskyAppViewCdnUrlPattern: `${view.bsky.url}/img/%s/plain/%s/%s@jpeg`,
  }),
})
dev.mockNetworkUtilities(pds, view?.bsky)

async function appView() {
  const key = 'rig'
  const bsync = await dev.TestBsync.create({ apiKeys: [key], dbUrl: given.postgres, dbSchema: 'bsync' })
  const bsky = await dev.TestBsky.create({
    port: ports.bsky,
    plcUrl: plc.url,
    pdsPort: ports.pds,
    publicUrl: `http://localhost:${ports.bsky}`,
    repoProvider: `ws://localhost:${ports.pds}`,
    bsyncApiKey: key,
    bsyncUrl: bsync.url,
    dbPostgresUrl: given.postgres,
    dbPostgresSchema: 'appview',
    privateKey: '3f916c70dc69e4c5e83877f013325b11ecac31742e6a42f5c4fb240d0703d9d5',
  })
  return { bsync, bsky }
}

// --- renewals: counted, and held up where a test wants to look ------------------------------------------
const tokens = pds.ctx.oauthProvider.tokenManager
if (given.tokenMaxAge) tokens.tokenMaxAge = given.tokenMaxAge
const renewals = { count: 0, hold: '', held: 0, release: () => {} }
const rotate = tokens.rotateToken
tokens.rotateToken = async function (...args) {
  await pause('before')
  const renewed = await rotate.apply(this, args)
  renewals.count += 1
  await pause('after')
  return renewed
}
async function pause(moment) {
  if (renewals.hold !== moment) return
  renewals.held += 1
  await new Promise((resolve) => (renewals.release = resolve))
}
function hold(moment) {
  renewals.hold = moment
  renewals.held = 0
  renewals.release()
}

// --- people ---------------------------------------------------------------------------------------------
const accounts = {}
for (const name of PEOPLE) {
  const agent = pds.getAgent()
  await agent.createAccount({ email: `${name}@rig.test`, handle: `${name}.test`, password: PASSWORD })
  const made = await agent.com.atproto.server.createAppPassword({ name: 'rig' })
  accounts[name] = { handle: `${name}.test`, did: agent.did, password: PASSWORD, app_password: made.data.password }
}

// --- what tests can ask for -----------------------------------------------------------------------------
async function caughtUp() {
  await pds.processAll()
  if (!view) return
  const newest = await pds.ctx.sequencer.curr()
  while (((await view.bsky.sub.getCursor()) ?? 0) < (newest ?? 0)) {
    await view.bsky.sub.processAll()
    await new Promise((resolve) => setTimeout(resolve, 10)) // else what it waits for is never heard
  }
}
const wishes = {
  '/renewals': () => ({ count: renewals.count, held: renewals.held }),
  '/hold': (query) => hold(query.get('moment') ?? ''),
  '/sync': caughtUp,
  '/rename': (query) => plcClient().updateHandle(query.get('did'), rotationKey(), query.get('handle')),
  '/move': (query) => plcClient().updatePds(query.get('did'), rotationKey(), query.get('to')),
}
const plcClient = () => pds.ctx.plcClient
const rotationKey = () => pds.ctx.plcRotationKey
http
  .createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost')
    try {
      const said = await wishes[url.pathname](url.searchParams)
      response.end(JSON.stringify(said ?? {}))
    } catch (error) {
      response.statusCode = 500
      response.end(JSON.stringify({ error: String(error) }))
    }
  })
  .listen(ports.control, () => {
    const control = `http://localhost:${ports.control}`
    console.log(JSON.stringify({ control, plc: plc.url, pds: pds.url, appview: view?.bsky.url ?? '', accounts }))
  })
