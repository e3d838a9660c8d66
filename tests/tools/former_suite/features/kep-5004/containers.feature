Feature: Containers and their device requests
  Each container has a device request of its own for each extended resource that a class serves.
  The status of the pod maps containers to requests.

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And a device class "nic" for "foo.domain/nic"
    And the devices
      | device |
      | dev-0  |
      | dev-1  |
      | dev-2  |
      | dev-3  |

  @case:the-cpus-that-a-container-requests-besides-have-no
  @KEP-5004/naming/request-name-format @KEP-5004/naming/one-request-per-container-and-resource
  Scenario: The CPUs that a container requests besides have no request
    Given a pod "p" with the container
      | container | limit cpu | limit example.com/gpu |
      | c0        | 100m      | 1                     |
    When the cluster settles
    Then pod "p" runs
    And the special claim of pod "p" serves
      | container | resource        |
      | c0        | example.com/gpu |
    But since Kubernetes 1.34, because all that a container requests is numbered, in the order of the names: the special claim of pod "p" serves
      | container | resource        | request               |
      | c0        | example.com/gpu | container-0-request-1 |
