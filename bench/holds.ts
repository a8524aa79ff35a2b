// Loaded into a measured server (NODE_OPTIONS): on request, reports to its parent the most CPU time in milliseconds
// that the main thread has used between two turns of its event loop since the last request. Unlike the time that the
// loop was blocked, this is the same on a busy machine. It samples a turn every 10 ms, which is included.
let before = process.threadCpuUsage()
let longest = 0

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  longest = Math.max(longest, (user + system) / 1000)
}, 10).unref()

if (process.send) {
  process.on('message', () => {
    process.send?.(longest)
    longest = 0
  })
  process.channel?.unref()
}
