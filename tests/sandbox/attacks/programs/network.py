import os
import socket

from honest import play, refused


def tcp(address):
    with socket.create_connection(address, timeout=0.2) as connection:
        return connection.getpeername()


def udp(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"x", address)


def vsock():
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as connection:
        connection.settimeout(0.2)
        connection.connect((2, 1024))


def unix(address):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(0.2)
        connection.connect(address)


def attack():
    refused("TCP to the host", tcp, ("127.0.0.1", int(os.environ["HOST_TCP_PORT"])))
    refused("TCP to the world", tcp, ("192.0.2.1", 80))
    refused("TCP over IPv6", tcp, ("2001:db8::1", 80))
    refused("UDP", udp, socket.AF_INET, ("192.0.2.1", 53))
    refused("UDP over IPv6", udp, socket.AF_INET6, ("2001:db8::1", 53))
    refused("DNS", socket.getaddrinfo, "example.com", 80)
    refused("vsock", vsock)
    refused("netlink", socket.socket, socket.AF_NETLINK, socket.SOCK_RAW)
    refused("packets", socket.socket, socket.AF_PACKET, socket.SOCK_RAW)
    refused("the kernel's cryptography", socket.socket, socket.AF_ALG, socket.SOCK_SEQPACKET)
    refused("an abstract socket of the host", unix, "\0" + os.environ["HOST_ABSTRACT_SOCKET"])
    for path in ("/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/dev/log"):
        refused(path, unix, path)


play(attack)
