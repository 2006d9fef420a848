// Loaded into a server: reports its CPU time in microseconds whenever its parent asks.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
// Nobody else would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
