// Loaded into a measured server (NODE_OPTIONS): tells its parent, when asked, the most processor time in milliseconds
// that the main thread has used between two turns of its event loop since it was asked last. Unlike the time that the
// loop stood still, it is the same on a machine that others keep busy. A turn is looked at every 10 ms, which it counts.
let before = process.threadCpuUsage()
let most = 0

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  most = Math.max(most, (user + system) / 1000)
}, 10).unref()

if (process.send) {
  process.on('message', () => {
    process.send?.(most)
    most = 0
  })
  process.channel?.unref()
}
