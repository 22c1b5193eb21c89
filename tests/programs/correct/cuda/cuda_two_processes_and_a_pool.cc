// One process gives memory of a pool to another, which fills it; the first takes the result.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cuda.h"

// A file descriptor goes beside the bytes.
static void Send(int to, int file, const CUmemPoolPtrExportData& data) {
  char room[CMSG_SPACE(sizeof(int))] = {};
  iovec bytes = {(void*)&data, sizeof(data)};
  msghdr message = {};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof(room);
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &file, sizeof(int));
  CHECK(sendmsg(to, &message, 0) == (ssize_t)sizeof(data));
}
static bool Receive(int from, int* file, CUmemPoolPtrExportData* data) {
  char room[CMSG_SPACE(sizeof(int))] = {};
  iovec bytes = {data, sizeof(*data)};
  msghdr message = {};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof(room);
  if (recvmsg(from, &message, 0) != (ssize_t)sizeof(*data)) return false;
  memcpy(file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
  return true;
}

static int Child(int socket) {
  int file;
  CUmemPoolPtrExportData data;
  if (!Receive(socket, &file, &data)) return 0;
  Open();
  CUmemoryPool pool;
  CUdeviceptr memory;
  OK(cuMemPoolImportFromShareableHandle(&pool, (void*)(intptr_t)file,
                                        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  OK(cuMemPoolImportPointer(&memory, pool, &data));
  OK(cuMemsetD8(memory, 7, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemFree(memory));
  OK(cuMemPoolDestroy(pool));
  close(file);
  Close();
  CHECK(write(socket, "x", 1) == 1);
  return 0;
}

int main() {
  int sockets[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  const pid_t child = fork();
  if (child == 0) {
    close(sockets[0]);
    return Child(sockets[1]);
  }
  close(sockets[1]);
  Open();
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  CUmemoryPool pool;
  int file = -1;
  if (cuMemPoolCreate(&pool, &properties) != CUDA_SUCCESS ||
      cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) !=
          CUDA_SUCCESS) {
    close(sockets[0]);
    NEEDS(!"pools that processes can share");
  }
  CUstream stream = NewStream();
  CUdeviceptr memory;
  CUmemPoolPtrExportData data;
  OK(cuMemAllocFromPoolAsync(&memory, 4096, pool, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemPoolExportPointer(&data, memory));
  Send(sockets[0], file, data);
  char word;
  CHECK(read(sockets[0], &word, 1) == 1);
  static char result[4096];
  OK(cuMemcpyDtoH(result, memory, 4096));
  CHECK(result[4095] == 7);
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  OK(cuMemFreeAsync(memory, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemPoolDestroy(pool));
  close(file);
  Close(stream);
}
